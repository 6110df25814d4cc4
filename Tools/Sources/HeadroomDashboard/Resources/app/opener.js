// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Where the focus goes back to when a window or the panel is closed.

import { byId } from "./dom.js";

/** Of each window, and of the panel, from where it was opened last. */
const openers = new WeakMap();

/** What had the focus. It may be drawn anew, disabled or gone by the time it is needed. */
export class Opener {
  /** @param {Element} opened what takes the focus now, if that is a window or the panel */
  constructor(opened) {
    this.element = document.activeElement;
    this.part = this.element?.closest("dialog, .explain, section");
    if (opened) openers.set(opened, this);
  }

  /**
   * To itself; else to what stands there for it now, to where the focus was before the window or panel was opened that
   * it stood in, or to the heading of that part of the page.
   *
   * @param {Set<Opener>} asked from which the focus did not find back
   */
  focus(asked = new Set()) {
    const target = [this.element, this.successor].find((one) => one && canFocus(one));
    if (target) return void target.focus();
    asked.add(this);
    const before = this.part && !isShown(this.part) ? openers.get(this.part) : undefined;
    if (before && !asked.has(before)) return void before.focus(asked);
    // It is a long way up on a telephone.
    this.heading.focus({ preventScroll: true });
  }

  get successor() {
    const { localName, dataset } = this.element;
    const others = [...(this.part ?? document).querySelectorAll(localName)];
    return others.find((one) => dataset.opens && one.dataset.opens === dataset.opens)
      ?? others.find((one) => nameOf(one) === nameOf(this.element) && canFocus(one));
  }

  get heading() {
    const title = this.part?.querySelector("h2");
    if (!title || !isShown(title)) return byId("main");
    title.tabIndex = -1;
    return title;
  }
}

const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
const isShown = (element) => element.isConnected && element.getClientRects().length > 0;
const canFocus = (element) => isShown(element) && !element.disabled && element !== document.body;
