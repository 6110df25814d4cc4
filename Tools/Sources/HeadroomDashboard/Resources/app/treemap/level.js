// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// One directory of the treemap: its children and theirs, as columns, since there may be 100,000.

export const classNames = ["temporary", "cache", "trash", "lastResort", "essential"];
export const kindNames = ["directory", "file", "link", "other"];

export const flag = {
  pinned: 1, inUse: 2, marked: 4, area: 8, unit: 16, unreadable: 32, otherFileSystem: 64, links: 128,
  /** Stands for all that was not answered. */
  rest: 256,
};

/** Nodes side by side: a column for each member. */
export class Nodes {
  names = [];
  bytes = [];
  items = [];
  classes = [];
  kinds = [];
  flags = [];
  /** Seconds since 1970; 0 where it is not known. */
  lastUses = [];
  /** The bytes of names that are no text, by index. */
  nameBytes = new Map();

  get count() { return this.names.length; }

  add(node) {
    if (node.nameBytes) this.nameBytes.set(this.count, node.nameBytes);
    this.names.push(node.name);
    this.bytes.push(node.bytes);
    this.items.push(node.items);
    this.classes.push(Math.max(0, classNames.indexOf(node.class)));
    this.kinds.push(Math.max(0, kindNames.indexOf(node.kind)));
    this.lastUses.push(node.lastUse ? Date.parse(node.lastUse) / 1000 : 0);
    this.flags.push(
      (node.pinned ? flag.pinned : 0) | (node.inUse ? flag.inUse : 0)
      | (node.marked ? flag.marked : 0) | (node.area ? flag.area : 0) | (node.unit ? flag.unit : 0)
      | (node.unreadable ? flag.unreadable : 0) | (node.otherFileSystem ? flag.otherFileSystem : 0)
      | (node.links > 1 ? flag.links : 0) | (node.isRest ? flag.rest : 0));
  }
}

/** A directory with what is in it, the largest first. */
export class Level {
  /** @param {{path?: string, pathBytes?: string, name: string, parents: object[], node?: object}} about */
  constructor(about) {
    Object.assign(this, about);
    this.clear();
  }

  clear() {
    this.outer = new Nodes();
    this.inner = new Nodes();
    /** For each outer node, where its children begin among the inner ones, and how many. */
    this.innerFrom = [];
    this.innerCount = [];
    /** For each inner node, the outer one. */
    this.innerParent = [];
    this.rest = null;
    this.bytes = 0;
  }

  /** Children as they were answered, with theirs where they came along. */
  add(children) {
    for (const child of children) {
      const index = this.outer.count;
      this.outer.add(child);
      this.bytes += child.bytes;
      this.innerFrom.push(this.inner.count);
      const grandchildren = child.children ?? [];
      for (const grandchild of grandchildren) this.addInner(grandchild, index);
      let count = grandchildren.length;
      if (count > 0 && child.rest && child.rest.bytes > 0) {
        this.addInner(restNode(child.rest, child.class), index);
        count += 1;
      }
      this.innerCount.push(count);
    }
  }

  addInner(node, parent) {
    this.inner.add(node);
    this.innerParent.push(parent);
  }

  /** What is not among the children; drawn last, as one. */
  close(rest, className) {
    this.rest = rest ?? null;
    if (!rest || !(rest.bytes > 0)) return;
    this.outer.add(restNode(rest, className));
    this.bytes += rest.bytes;
    this.innerFrom.push(this.inner.count);
    this.innerCount.push(0);
  }

  /** How many nodes there are in all. Outer nodes come first, then inner ones. */
  get count() { return this.outer.count + this.inner.count; }

  nodes(id) { return id < this.outer.count ? this.outer : this.inner; }
  index(id) { return id < this.outer.count ? id : id - this.outer.count; }

  /** The outer node that a node is, or is in. */
  outerOf(id) { return id < this.outer.count ? id : this.innerParent[id - this.outer.count]; }

  /** A node with the names of its members, and its path. */
  node(id) {
    const nodes = this.nodes(id);
    const at = this.index(id);
    const parent = id < this.outer.count ? this : this.location(this.outerOf(id));
    return {
      id, name: nodes.names[at], bytes: nodes.bytes[at], items: nodes.items[at],
      class: classNames[nodes.classes[at]], kind: kindNames[nodes.kinds[at]],
      flags: nodes.flags[at], lastUse: nodes.lastUses[at],
      isRest: (nodes.flags[at] & flag.rest) !== 0,
      ...join(parent, nodes.names[at], nodes.nameBytes.get(at)),
    };
  }

  location(outer) {
    return join(this, this.outer.names[outer], this.outer.nameBytes.get(outer));
  }
}

function restNode(rest, className) {
  return {
    name: "the rest", bytes: rest.bytes, items: rest.count, class: className, kind: "other",
    isRest: true,
  };
}

/** The path of a name in a directory; the roots are paths already. */
function join(parent, name, nameBytes) {
  if (parent.path === undefined) return nameBytes ? { path: name, pathBytes: nameBytes } : { path: name };
  const slash = parent.path.endsWith("/") ? "" : "/";
  const path = `${parent.path}${slash}${name}`;
  if (!nameBytes && !parent.pathBytes) return { path };
  const before = parent.pathBytes ?? encodePath(parent.path);
  return { path, pathBytes: `${before}${slash}${nameBytes ?? encodePath(name)}` };
}

const encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");
