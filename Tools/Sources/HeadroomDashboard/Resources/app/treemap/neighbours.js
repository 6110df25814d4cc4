// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

const directions = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/**
 * The node that an arrow key leads to: the nearest whose middle lies that way; null if there is none.
 *
 * @param {import("./picture.js").Picture} picture
 * @param {number} from an outer node
 * @param {string} key the name of the key
 */
export function neighbour(picture, from, key) {
  const direction = directions[key];
  if (!direction) return null;
  const [dx, dy] = direction;
  const { rectangles } = picture;
  const x = (rectangles[4 * from] + rectangles[4 * from + 2]) / 2;
  const y = (rectangles[4 * from + 1] + rectangles[4 * from + 3]) / 2;
  let best = null;
  let least = Infinity;
  for (let id = 0; id < picture.level.outer.count; id += 1) {
    if (id === from || !picture.shows(id)) continue;
    const at = 4 * id;
    const along = ((rectangles[at] + rectangles[at + 2]) / 2 - x) * dx
      + ((rectangles[at + 1] + rectangles[at + 3]) / 2 - y) * dy;
    if (along <= 0) continue;
    // The edge counts across: a wide neighbour above is near, wherever its middle is.
    const across = dx !== 0
      ? outside(y, rectangles[at + 1], rectangles[at + 3])
      : outside(x, rectangles[at], rectangles[at + 2]);
    const cost = along + 3 * across;
    if (cost < least) {
      least = cost;
      best = id;
    }
  }
  return best;
}

function outside(value, low, high) {
  return value < low ? low - value : value > high ? value - high : 0;
}
