// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The way into a directory and out of it: where one comes from is seen.

const duration = 220;

/**
 * Draws the way from one picture to another.
 *
 * @param {CanvasRenderingContext2D} context as large as both pictures
 * @param {CanvasImageSource} around the picture of the outer directory
 * @param {CanvasImageSource} within the picture of the inner one
 * @param {number[]} rectangle where the inner one lies in the outer one, in device pixels
 * @param {boolean} isInward
 * @returns a promise of the end; false if it was given up by `signal`
 */
export function zoom(context, around, within, rectangle, isInward, signal) {
  const { width, height } = context.canvas;
  return new Promise((resolve) => {
    let start = null;
    const step = (time) => {
      if (signal.aborted) return resolve(false);
      start ??= time;
      const linear = Math.min(1, (time - start) / duration);
      const eased = 1 - (1 - linear) ** 3;
      drawStep(context, around, within, rectangle, isInward ? eased : 1 - eased, width, height);
      if (linear < 1) requestAnimationFrame(step);
      else resolve(true);
    };
    requestAnimationFrame(step);
  });
}

/** @param {number} share 0: all of the outer picture; 1: nothing but the inner one */
function drawStep(context, around, within, [left, top, right, bottom], share, width, height) {
  // What of the outer picture is to be seen.
  const x = left * share;
  const y = top * share;
  const w = width + (right - left - width) * share;
  const h = height + (bottom - top - height) * share;
  context.imageSmoothingEnabled = false;
  context.globalAlpha = 1;
  context.drawImage(around, x, y, Math.max(1, w), Math.max(1, h), 0, 0, width, height);
  context.globalAlpha = share;
  context.drawImage(
    within, ((left - x) / w) * width, ((top - y) / h) * height,
    ((right - left) / w) * width, ((bottom - top) / h) * height);
  context.globalAlpha = 1;
}
