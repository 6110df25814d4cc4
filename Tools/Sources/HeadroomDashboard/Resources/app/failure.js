// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What a view says where something could not be loaded, with the way to try again.

import { trouble } from "./dialog.js";
import { el, fill } from "./dom.js";
import { Opener } from "./opener.js";

/**
 * An error with a button. While the daemon is gone, it is pressed as soon as that answers again.
 *
 * @param {() => Promise<void>} again draws what is there in place of this
 */
export function failure(error, again) {
  let isTrying = false;
  const button = el("button", {
    type: "button", "data-again": error.isGone ? "when-back" : null,
    onclick: async () => {
      if (isTrying) return;
      isTrying = true;
      const opener = document.activeElement === button ? new Opener() : null;
      try {
        await again();
      } finally {
        isTrying = false;
      }
      // Somebody may have gone on meanwhile.
      if (opener && document.activeElement === document.body) opener.focus();
    },
  }, "Try again");
  return el("div", { class: "failure" }, trouble(error), button);
}

/** The daemon is back: what is shown and could not be loaded is asked for again. */
export function tryAgain(holder) {
  for (const button of holder.querySelectorAll("[data-again]")) {
    if (!button.closest("[hidden]")) button.click();
  }
}

/**
 * The button below a list that loads more of it, and says where that failed.
 *
 * @param {() => Promise<boolean>} load whether there is still more
 */
export function moreButton(words, load) {
  let isLoading = false;
  const place = el("div");
  const button = el("button", { type: "button", class: "quiet", onclick: () => next() }, words);
  const next = async () => {
    if (isLoading) return;
    isLoading = true;
    const hadFocus = place.contains(document.activeElement);
    try {
      button.hidden = !(await load());
      fill(place, button);
    } catch (error) {
      fill(place, failure(error, next));
    } finally {
      isLoading = false;
    }
    if (!hadFocus) return;
    // After the last page there is nothing left to press.
    const rest = place.querySelector("button:not([hidden])") ?? place.parentElement?.querySelector(".scroller");
    rest?.focus();
  };
  fill(place, button);
  return place;
}
