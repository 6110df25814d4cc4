// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Any path, in the picture or not, explained in the panel at the right.

import { el } from "../dom.js";

/** @param {Function} onExplain */
export function pathField(onExplain) {
  const field = el("input", {
    type: "text", id: "explain-path", autocomplete: "off", spellcheck: false, placeholder: "any path",
    oninput: () => field.setCustomValidity(""),
  });
  return el("form", {
    class: "path-form",
    onsubmit: (event) => {
      event.preventDefault();
      const path = field.value;
      // mutation: r38c-7
      if (path.startsWith("/")) return void onExplain({ path });
      field.setCustomValidity("Write a whole path, such as /home/ada/.cache/pip.");
      field.reportValidity();
    },
  }, el("label", { class: "unseen", for: "explain-path" }, "Explain a path"), field,
  el("button", { type: "submit", class: "quiet" }, "Explain"));
}
