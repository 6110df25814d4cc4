// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Fetches levels: first two of them at once, the largest nodes, then the rest of the first in pages, for as
// long as they are large enough to be seen.

import { get, pathQuery } from "../api.js";
import { Level } from "./level.js";

const firstLimit = 1500;
const pageLimit = 4000;
const rootLimit = 200;
const mostRootsOpened = 12;
const mostNodes = 120_000;

/**
 * Fetches what is in a directory.
 *
 * @param {object} place `{path, pathBytes, view}`; without a path the roots
 * @param {(level: Level, isComplete: boolean) => void} onLevel called with more and more of it
 * @param {(rest: object, bytes: number) => boolean} isWorthMore whether what was left out is large enough to be seen
 */
export async function loadLevel(place, onLevel, isWorthMore, signal) {
  const query = {
    view: place.view, path: place.path === undefined ? undefined : pathQuery(place.path, place.pathBytes),
  };
  const tree = await get("/tree", { ...query, depth: 2, limit: firstLimit }, { signal });
  const level = new Level({
    path: tree.path, pathBytes: tree.pathBytes, parents: tree.parents ?? [],
    class: tree.node?.class, inventory: tree.inventory, view: tree.view,
  });
  if (tree.path === undefined) return loadRoots(tree, level, place.view, onLevel, signal);
  const children = tree.node.children ?? [];
  level.add(children);
  level.close(tree.node.rest, tree.node.class);
  let rest = tree.node.rest;
  const wantsMore = rest?.count > 0 && isWorthMore(rest, tree.node.bytes);
  onLevel(level, !wantsMore);
  if (!wantsMore) return level;

  // In pages there are no grandchildren; those that are known stay.
  const known = new Map(children.filter((child) => child.children).map((child) => [key(child), child]));
  const all = [];
  let cursor;
  let shownAt = 0;
  do {
    let page;
    try {
      page = await get("/tree", { ...query, depth: 1, limit: pageLimit, cursor }, { signal });
    } catch (error) {
      // It was scanned again meanwhile: what was fetched and what is left do not fit each other.
      if (error.isConflict && cursor !== undefined) return loadLevel(place, onLevel, isWorthMore, signal);
      throw error;
    }
    for (const child of page.node.children ?? []) {
      const other = known.get(key(child));
      all.push(other ? { ...child, children: other.children, rest: other.rest } : child);
    }
    rest = page.node.rest;
    cursor = rest?.cursor;
    const goesOn = cursor !== undefined && all.length < mostNodes
      && isWorthMore(rest, page.node.bytes);
    // Laying out anew each time would cost more than it shows.
    if (goesOn && all.length < 2 * shownAt) continue;
    shownAt = all.length;
    level.clear();
    level.add(all);
    level.close(rest, page.node.class);
    onLevel(level, !goesOn);
    if (!goesOn) break;
  } while (cursor !== undefined);
  return level;
}

/** Where scans began, and then what is in the largest of them. */
async function loadRoots(tree, level, view, onLevel, signal) {
  const roots = tree.roots.map((root) => ({ ...root.node, name: root.path, nameBytes: root.pathBytes }));
  level.add(roots);
  onLevel(level, roots.length === 0);
  const opened = await Promise.all(roots.slice(0, mostRootsOpened).map(async (root) => {
    try {
      return (await get("/tree", {
        view, path: pathQuery(root.name, root.nameBytes), limit: rootLimit,
      }, { signal })).node;
    } catch (error) {
      // It is drawn without what is in it.
      if (signal.aborted || error.isGone) throw error;
      return null;
    }
  }));
  level.clear();
  level.add(roots.map((root, index) => (opened[index]
    ? { ...root, children: opened[index].children, rest: opened[index].rest } : root)));
  onLevel(level, true);
  return level;
}

const key = (node) => node.nameBytes ?? node.name;
