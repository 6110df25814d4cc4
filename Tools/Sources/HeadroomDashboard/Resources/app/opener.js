// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Where the focus goes back to when a window or the panel is closed.

import { byId } from "./dom.js";

/** What had the focus. It may be drawn anew, disabled or gone by the time it is needed. */
export class Opener {
  constructor() {
    this.element = document.activeElement;
    this.part = this.element?.closest("dialog, section");
  }

  /** To itself; else to what stands there for it now, or to the heading of that part of the page. */
  focus() {
    const target = [this.element, this.successor].find((one) => one && canFocus(one));
    if (target) target.focus();
    // It is a long way up on a telephone.
    else this.heading.focus({ preventScroll: true });
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
