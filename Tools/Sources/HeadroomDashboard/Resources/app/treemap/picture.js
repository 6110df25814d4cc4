// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Draws a level into memory, pixel by pixel: 100,000 rectangles cost what their pixels cost, and each pixel
// knows whose it is.

import { middle, visible, bytes as byteText } from "../format.js";
import { flag } from "./level.js";
import { stepCount, stepOf } from "./palette.js";
import { squarify } from "./squarify.js";

/** Below this, in CSS pixels, what is in a directory is not drawn inside it. */
const smallestFrame = { width: 40, height: 30 };
const headerHeight = 15;
const noID = -1;

/** A level as it looks at one size. */
export class Picture {
  /** @param {number} scale device pixels for a CSS pixel */
  constructor(level, width, height, scale, palette) {
    this.level = level;
    this.width = Math.max(1, Math.round(width * scale));
    this.height = Math.max(1, Math.round(height * scale));
    this.scale = scale;
    this.palette = palette;
    this.rectangles = new Float32Array(4 * level.count);
    this.layOut();
    this.canvas = document.createElement("canvas");
    this.canvas.width = this.width;
    this.canvas.height = this.height;
    this.context = this.canvas.getContext("2d");
    this.draw();
  }

  // MARK: - Places

  layOut() {
    const { level, rectangles, scale } = this;
    const outerCount = level.outer.count;
    squarify(level.outer.bytes, 0, 0, this.width, this.height, rectangles);
    for (let index = 0; index < outerCount; index += 1) {
      const count = level.innerCount[index];
      if (count === 0 || !this.isFrame(index)) continue;
      const [left, top, right, bottom] = this.inside(index);
      const from = level.innerFrom[index];
      squarify(
        level.inner.bytes.slice(from, from + count), left, top, right - left, bottom - top,
        rectangles, outerCount + from);
    }
    // Edges on whole pixels; neighbours share them, so that nothing shines through.
    for (let at = 0; at < rectangles.length; at += 1) rectangles[at] = Math.round(rectangles[at]);
    this.headerHeight = Math.round(headerHeight * scale);
  }

  isFrame(index) {
    const at = 4 * index;
    const { rectangles, scale } = this;
    return rectangles[at + 2] - rectangles[at] >= smallestFrame.width * scale
      && rectangles[at + 3] - rectangles[at + 1] >= smallestFrame.height * scale;
  }

  /** Where the children of a directory are drawn. */
  inside(index) {
    const at = 4 * index;
    const edge = 2 * this.scale;
    const { rectangles } = this;
    return [
      Math.round(rectangles[at]) + edge,
      Math.round(rectangles[at + 1]) + headerHeight * this.scale,
      Math.round(rectangles[at + 2]) - edge,
      Math.round(rectangles[at + 3]) - edge,
    ];
  }

  showsInner(index) {
    return this.level.innerCount[index] > 0 && this.isFrame(index);
  }

  /** Left, top, right and bottom in CSS pixels. */
  rectangle(id) {
    const at = 4 * id;
    return Array.from(this.rectangles.subarray(at, at + 4), (value) => value / this.scale);
  }

  /** Whether anything of a node can be seen. */
  shows(id) {
    const at = 4 * id;
    const { rectangles } = this;
    return rectangles[at + 2] > rectangles[at] && rectangles[at + 3] > rectangles[at + 1];
  }

  /** Whose pixel this is, in CSS pixels; null outside. */
  idAt(x, y) {
    const column = Math.floor(x * this.scale);
    const row = Math.floor(y * this.scale);
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return null;
    const id = this.owners[row * this.width + column];
    return id === noID ? null : id;
  }

  // MARK: - Pixels

  draw() {
    const image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(image.data.buffer);
    this.pixels.fill(this.palette.gap);
    this.owners = new Int32Array(this.width * this.height).fill(noID);
    const { level } = this;
    const now = Date.now() / 1000;
    const outerCount = level.outer.count;
    for (let index = 0; index < outerCount; index += 1) {
      this.fillNode(level.outer, index, index, now);
      if (!this.showsInner(index)) continue;
      // Else the gaps between what is in it could not be told from what is.
      this.fill(...this.inside(index), this.palette.gap);
      const from = level.innerFrom[index];
      const end = from + level.innerCount[index];
      for (let inner = from; inner < end; inner += 1) {
        this.fillNode(level.inner, inner, outerCount + inner, now);
      }
    }
    this.context.putImageData(image, 0, 0);
    // They are in the canvas now.
    this.pixels = null;
    this.drawLabels(now);
  }

  colorIndex(nodes, index, now) {
    return nodes.classes[index] * stepCount + stepOf(nodes.lastUses[index], now);
  }

  fillNode(nodes, index, id, now) {
    const at = 4 * id;
    const { rectangles, scale } = this;
    const left = rectangles[at];
    const top = rectangles[at + 1];
    let right = rectangles[at + 2];
    let bottom = rectangles[at + 3];
    if (right <= left || bottom <= top) return;
    const color = this.colorIndex(nodes, index, now);
    this.own(left, top, right, bottom, id);
    // A gap between what is large enough to have one.
    if (right - left > 3 * scale) right -= scale;
    if (bottom - top > 3 * scale) bottom -= scale;
    this.fill(left, top, right, bottom, this.palette.grounds[color]);
    if (right - left < 5 * scale || bottom - top < 5 * scale) return;
    this.pattern(left, top, right, bottom, nodes.classes[index], this.palette.patterns[color]);
    if (nodes.flags[index] & (flag.inUse | flag.pinned)) {
      this.hatch(left, top, right, bottom, (nodes.flags[index] & flag.pinned) !== 0);
    }
  }

  own(left, top, right, bottom, id) {
    const { owners, width } = this;
    for (let row = top; row < bottom; row += 1) owners.fill(id, row * width + left, row * width + right);
  }

  fill(left, top, right, bottom, color) {
    const { pixels, width } = this;
    for (let row = top; row < bottom; row += 1) {
      pixels.fill(color, row * width + left, row * width + right);
    }
  }

  /** Of each class another one: dots, none, crosses, lines, columns. */
  pattern(left, top, right, bottom, classIndex, color) {
    const { pixels, width } = this;
    const unit = Math.max(1, Math.round(this.scale));
    const period = 6 * unit;
    for (let row = top; row < bottom; row += 1) {
      const y = row % period;
      const start = row * width;
      switch (classIndex) {
        case 0:
          if (y >= unit) break;
          for (let x = left; x < right; x += 1) {
            if ((x + (Math.floor(row / period) % 2) * 3 * unit) % period < unit) pixels[start + x] = color;
          }
          break;
        case 2:
          for (let x = left; x < right; x += 1) {
            if (y < unit || x % period < unit) pixels[start + x] = color;
          }
          break;
        case 3:
          if (y < unit) pixels.fill(color, start + left, start + right);
          break;
        case 4:
          for (let x = left; x < right; x += 1) if (x % period < unit) pixels[start + x] = color;
          break;
        default:
      }
    }
  }

  /** What is in use leans to the right, what is pinned to the left. */
  hatch(left, top, right, bottom, isPinned) {
    const { pixels, width, palette } = this;
    const unit = Math.max(1, Math.round(this.scale));
    const period = 8 * unit;
    for (let row = top; row < bottom; row += 1) {
      const shift = isPinned ? period - (row % period) : row % period;
      for (let x = left; x < right; x += 1) {
        if ((x + shift) % period < unit) pixels[row * width + x] = palette.hatch;
      }
    }
  }

  // MARK: - Labels

  drawLabels(now) {
    const { context, level, scale } = this;
    context.textBaseline = "middle";
    // Names in any script stand where the rectangle begins.
    context.direction = "ltr";
    const outerCount = level.outer.count;
    for (let index = 0; index < outerCount; index += 1) {
      const isFrame = this.showsInner(index);
      this.drawLabel(level.outer, index, index, now, isFrame);
      if (!isFrame) continue;
      const from = level.innerFrom[index];
      const end = from + level.innerCount[index];
      for (let inner = from; inner < end; inner += 1) {
        // The largest come first: when one is too small for a label, so is what follows, nearly always.
        if (!this.drawLabel(level.inner, inner, outerCount + inner, now, false) && inner - from > 40) break;
      }
      if (index > 2000) break;
    }
    context.font = `${11 * scale}px ${this.palette.font}`;
  }

  /** @returns whether there was room */
  drawLabel(nodes, index, id, now, isHeader) {
    const [left, top, right, bottom] = this.rectangles.subarray(4 * id, 4 * id + 4);
    const { context, scale } = this;
    const width = right - left - 6 * scale;
    if (width < 30 * scale || bottom - top < 14 * scale) return false;
    const color = this.colorIndex(nodes, index, now);
    context.font = `${isHeader ? "600 " : ""}${11 * scale}px ${this.palette.font}`;
    const middleOfLine = top + 7.5 * scale;
    const name = visible(nodes.names[index]);
    const kind = nodes.kinds[index] === 0 && !name.endsWith("/") ? `${name}/` : name;
    const size = byteText(nodes.bytes[index]);
    this.drawText(kind, left + 3 * scale, middleOfLine, width, color);
    if (!isHeader && bottom - top >= 28 * scale && width > 40 * scale) {
      this.drawText(size, left + 3 * scale, middleOfLine + 13 * scale, width, color);
    } else if (isHeader) {
      const used = Math.min(width, context.measureText(kind).width);
      const room = context.measureText(size).width + 10 * scale;
      if (used + room < width) {
        this.drawText(size, right - room + 4 * scale, middleOfLine, room, color);
      }
    }
    return true;
  }

  /** On a ground of its own: patterns and hatches do not cross what is to be read. */
  drawText(text, x, y, width, color) {
    const { context, scale, palette } = this;
    let shown = text;
    let length = Math.floor(width / (5 * scale));
    if (context.measureText(shown).width > width) {
      while (length > 2 && context.measureText(shown).width > width) {
        shown = middle(text, length);
        length -= Math.max(1, Math.floor(length / 12));
      }
    }
    const measured = context.measureText(shown).width;
    if (measured > width) return;
    context.fillStyle = palette.css[color];
    context.fillRect(x - scale, y - 6.5 * scale, measured + 2 * scale, 13 * scale);
    context.fillStyle = palette.texts[color];
    // Isolated, as <bdi> is.
    context.fillText(`\u2068${shown}\u2069`, x, y);
  }
}
