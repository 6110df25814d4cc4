// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What of a plan is not to go: whole groups, single entries, and entries of those groups that go after all.

export class Deselection {
  #groups = new Set();
  /** By group: its deselected entries, or where the group is deselected those that go after all. */
  #single = new Map();

  isSelected(group, index) {
    return this.#groups.has(group) === (this.#single.get(group)?.has(index) ?? false);
  }

  /** Selects a whole group, or deselects it. */
  setGroup(group, isSelected) {
    this.#single.delete(group);
    if (isSelected) this.#groups.delete(group);
    else this.#groups.add(group);
  }

  setEntry(group, index, isSelected) {
    if (this.isSelected(group, index) === isSelected) return;
    const single = this.#single.get(group) ?? new Set();
    if (!single.delete(index)) single.add(index);
    this.#single.set(group, single);
  }

  get isEmpty() {
    return this.#groups.size === 0 && [...this.#single.values()].every((single) => single.size === 0);
  }

  /** As the API takes it. */
  get request() {
    const entries = [];
    const except = [];
    for (const [group, single] of this.#single) {
      (this.#groups.has(group) ? except : entries).push(...single);
    }
    // mutation: r38c-1
    return { groups: [...this.#groups], entries, except };
  }
}
