// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// What Headroom did lately, what waits for a word, and what people should know.

import { post } from "./api.js";
import { trouble } from "./dialog.js";
import { el, fill, nameText } from "./dom.js";
import { ago, bytes, counted } from "./format.js";
import { JobPanel } from "./progress.js";
import { receiptHeadline } from "./receipt.js";

/** One line: the latest receipts and events. */
export function drawLately(holder, status, onReceipt) {
  const now = new Date(status.time);
  const things = [
    ...status.receipts.map((receipt) => ({ time: new Date(receipt.started), receipt })),
    ...status.events.map((event) => ({ time: new Date(event.time), event })),
  ].sort((left, right) => right.time - left.time).slice(0, 4);
  fill(holder, el("h2", {}, "Lately"), things.length === 0
    ? el("p", { class: "empty" }, status.mode === "observe"
      ? "Nothing was deleted. In the mode observe Headroom only looks; a plan that you confirm is carried out all the same."
      : "Nothing was deleted yet.")
    : el("ul", {}, things.map(({ time, receipt, event }) => el("li", {}, receipt
      ? el("button", { type: "button", class: "path", onclick: () => onReceipt(receipt.id) },
        receiptHeadline(receipt).replace(/\.$/, ""))
      : el("span", { class: event.level && event.level !== "normal" ? `text-${event.level}` : "" }, event.text),
    " ", el("span", { class: "faint" }, ago(time, now))))),
  el("a", { href: "#activity", class: "more" }, "All activity"));
}

/** In the mode `ask`: each proposal with the button that lets it go. */
export function drawAsking(holder, status, actions) {
  const { asking } = status;
  // What is being answered is not drawn anew under the finger.
  const state = JSON.stringify(asking);
  if (holder.dataset.state === state) return;
  holder.dataset.state = state;
  holder.hidden = asking.length === 0;
  fill(holder, asking.map((proposal) => {
    const holderOfTrouble = el("div");
    const button = el("button", {
      type: "button", class: "primary",
      onclick: async () => {
        button.disabled = true;
        try {
          const { job } = await post("/asking/confirm", {
            volume: proposal.volumeBytes ?? proposal.volume, proposal: proposal.id,
          });
          JobPanel.open(job, actions);
        } catch (error) {
          fill(holderOfTrouble, trouble(error));
          button.disabled = false;
          actions.onChange();
        }
      },
    }, `Let ${bytes(proposal.bytes)} go`);
    return el("div", { class: "proposal" },
      el("p", {}, el("strong", {}, "Waits for your word: "),
        `${bytes(proposal.bytes)} in ${counted(proposal.items, "item")} on `, nameText(proposal.volume, 40),
        proposal.purposes.length > 0 ? ` (${proposal.purposes.join("; ")})` : ""),
      el("button", {
        type: "button",
        onclick: () => actions.onPlan({
          target: { kind: "free", bytes: Math.max(1, proposal.bytes) },
          ...(proposal.volumeBytes ? { volumeBytes: proposal.volumeBytes } : { volume: proposal.volume }),
        }),
      }, "See a plan"),
      button, holderOfTrouble);
  }));
}

/** Sentences of the daemon. */
export function drawNotices(holder, status) {
  holder.hidden = status.notices.length === 0;
  fill(holder, status.notices.map((text) => el("p", {}, text)));
}
