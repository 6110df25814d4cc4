// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Squarified treemaps (Bruls, Huizing, van Wijk 2000): rows are filled along the shorter side for as
// long as that makes the worst of their rectangles no longer.

/**
 * Lays out weights in a rectangle.
 *
 * @param {Float64Array} weights the largest first; what is zero or less takes no place
 * @param {number} left @param {number} top @param {number} width @param {number} height
 * @param {Float32Array} into four numbers for each weight: left, top, right, bottom
 * @param {number} start index of the first rectangle in `into`
 */
export function squarify(weights, left, top, width, height, into, start = 0) {
  let total = 0;
  for (const weight of weights) total += Math.max(0, weight);
  let right = left + width;
  let bottom = top + height;
  if (!(total > 0) || !(width > 0) || !(height > 0)) {
    for (let index = 0; index < weights.length; index += 1) {
      place(into, start + index, left, top, left, top);
    }
    return;
  }
  const scale = (width * height) / total;
  let index = 0;
  while (index < weights.length) {
    const isWide = right - left >= bottom - top;
    const side = isWide ? bottom - top : right - left;
    const end = endOfRow(weights, index, scale, side);
    let sum = 0;
    for (let member = index; member < end; member += 1) sum += Math.max(0, weights[member]) * scale;
    // The last row takes what is left, so that rounding leaves no gap.
    const depth = end === weights.length ? (isWide ? right - left : bottom - top)
      : side > 0 ? sum / side : 0;
    let along = isWide ? top : left;
    for (let member = index; member < end; member += 1) {
      const length = sum > 0 ? (Math.max(0, weights[member]) * scale * side) / sum : 0;
      const next = along + length;
      if (isWide) place(into, start + member, left, along, left + depth, next);
      else place(into, start + member, along, top, next, top + depth);
      along = next;
    }
    if (isWide) left += depth;
    else top += depth;
    index = end;
  }
}

/** The index behind the row that begins at `first`. */
function endOfRow(weights, first, scale, side) {
  const largest = Math.max(0, weights[first]) * scale;
  let sum = largest;
  let worst = ratio(largest, largest, sum, side);
  let end = first + 1;
  while (end < weights.length) {
    const area = Math.max(0, weights[end]) * scale;
    const next = ratio(largest, area, sum + area, side);
    if (next > worst) break;
    sum += area;
    worst = next;
    end += 1;
  }
  // What has no area would be a row each.
  while (end < weights.length && !(weights[end] > 0)) end += 1;
  return end;
}

/** The worst of a row: how many times longer than wide. */
function ratio(largest, smallest, sum, side) {
  const squared = side * side;
  return Math.max((squared * largest) / (sum * sum), (sum * sum) / (squared * smallest));
}

function place(into, index, left, top, right, bottom) {
  const at = 4 * index;
  into[at] = left;
  into[at + 1] = top;
  into[at + 2] = right;
  into[at + 3] = bottom;
}
