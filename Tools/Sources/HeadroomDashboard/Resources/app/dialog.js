// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Windows over the page. <dialog> keeps the focus inside, makes the rest inert and closes with Escape.

import { el, fill } from "./dom.js";
import { Opener } from "./opener.js";

export class Dialog {
  /** @param {string} name of the window, for who cannot see it */
  constructor(name, onClose = () => {}) {
    this.title = el("h2", { tabIndex: -1 }, name);
    this.closeButton = el("button", {
      type: "button", class: "quiet close", "aria-label": "Close", onclick: () => this.element.close(),
    }, "✕");
    this.body = el("div", { class: "dialog-body" });
    this.footer = el("footer", {});
    this.titleID = `dialog-${(Dialog.count += 1)}`;
    this.title.id = this.titleID;
    this.element = el("dialog", {
      "aria-labelledby": this.titleID,
      onclose: () => {
        // The panel at the right belongs to the page again.
        document.dispatchEvent(new CustomEvent("dialog-closing", { detail: this.element }));
        this.element.remove();
        this.opener?.focus();
        onClose();
      },
    }, el("header", {}, this.title, this.closeButton), this.body, this.footer);
  }

  static count = 0;

  get isOpen() { return this.element.open; }

  open() {
    this.opener = new Opener(this.element);
    document.body.append(this.element);
    this.element.showModal();
    this.title.focus();
    return this;
  }

  close() { this.element.close(); }

  /** Replaces what is in it. The focus, if it was on that, goes to the title. */
  show(title, body, footer = []) {
    const hadFocus = this.element.contains(document.activeElement);
    this.title.textContent = title;
    fill(this.body, body);
    fill(this.footer, footer);
    this.footer.hidden = this.footer.childElementCount === 0;
    if (hadFocus && !this.element.contains(document.activeElement)) this.title.focus();
    return this;
  }
}

/** What went wrong, as a sentence, and what to do. */
export function trouble(error) {
  return el("div", { class: "trouble", role: "alert" },
    el("p", {}, el("strong", {}, error.message)), error.advice ? el("p", {}, error.advice) : null);
}
