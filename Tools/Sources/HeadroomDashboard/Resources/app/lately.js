// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What Headroom did lately, what waits for a word, and what people should know.

import { el, fill, nameText } from "./dom.js";
import { ago, bytes, counted } from "./format.js";
import { receiptHeadline } from "./receipt.js";

/** One line: the latest receipts and events. Of what was shown already only its age is written anew. */
export function drawLately(holder, status, onReceipt) {
  const now = new Date(status.time);
  const things = [
    ...status.receipts.map((receipt) => ({ time: new Date(receipt.started), receipt })),
    ...status.events.map((event) => ({ time: new Date(event.time), event })),
  ].sort((left, right) => right.time - left.time).slice(0, 4);
  const state = JSON.stringify([status.mode, things]);
  if (holder.dataset.state === state) {
    const ages = holder.querySelectorAll("li > .faint");
    things.forEach(({ time }, index) => { ages[index].textContent = ago(time, now); });
    return;
  }
  holder.dataset.state = state;
  fill(holder, el("h2", {}, "Lately"), things.length === 0
    ? el("p", { class: "empty" }, status.mode === "observe"
      ? "Nothing was deleted. In the mode observe Headroom only looks; a plan that you confirm is carried out all the same."
      : "Nothing was deleted yet.")
    : el("ul", {}, things.map(({ time, receipt, event }) => el("li", {}, receipt
      ? el("button", { type: "button", class: "path", "data-opens": receipt.id, onclick: () => onReceipt(receipt.id) },
        receiptHeadline(receipt).replace(/\.$/, ""))
      // mutation: r41f-1
      : el("span", { class: event.level && event.level !== "normal" ? `text-${event.level}` : "" }, event.text),
    " ", el("span", { class: "faint" }, ago(time, now))))),
  el("a", { href: "#activity", class: "more" }, "All activity"));
}

/** In the mode `ask`: each proposal, with the way to its plan, which a person looks at and confirms. */
export function drawAsking(holder, status, actions) {
  const { asking } = status;
  // What is being answered is not drawn anew under the finger.
  const state = JSON.stringify(asking);
  if (holder.dataset.state === state) return;
  holder.dataset.state = state;
  holder.hidden = asking.length === 0;
  fill(holder, asking.map((proposal) => el("div", { class: "proposal" },
    el("p", {}, el("strong", {}, "Waits for your word: "),
      `${bytes(proposal.bytes)} in ${counted(proposal.items, "item")} on `, nameText(proposal.volume, 40),
      ` (${proposal.purpose})`),
    el("button", {
      type: "button", class: "primary", onclick: () => actions.onPlan({ proposal: proposal.id }),
    }, "See what would go"))));
}

/** Sentences of the daemon. */
export function drawNotices(holder, status) {
  // It is read out whenever it is written.
  const state = JSON.stringify(status.notices);
  if (holder.dataset.state === state) return;
  holder.dataset.state = state;
  holder.hidden = status.notices.length === 0;
  fill(holder, status.notices.map((text) => el("p", {}, text)));
}
