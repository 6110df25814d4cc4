// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// The page: asks how things are, draws what has changed, and brings the parts together.

import { drawActivity, drawEvents } from "./activity.js";
import { adoptToken, get, hasToken, onConnection, post, setToken } from "./api.js";
import { drawAudit } from "./audit.js";
import { CleanView } from "./clean/view.js";
import { trouble } from "./dialog.js";
import { disposeOf } from "./disposal.js";
import { byId, el, fill } from "./dom.js";
import { ExplainPanel } from "./explain.js";
import { tryAgain } from "./failure.js";
import { ago, counted, percent, timeOf, visible } from "./format.js";
import { HistoryChart } from "./history.js";
import { Ladder } from "./ladder.js";
import { drawAsking, drawLately, drawNotices } from "./lately.js";
import { inodeOutlookText } from "./outlook.js";
import { PlanDialog } from "./plan.js";
import { jobLabel, JobPanel } from "./progress.js";
import { openReceipt } from "./receipt.js";
import { drawVolumes, sortedVolumes, volumeKey } from "./ring.js";
import { drawSettings } from "./settings.js";
import { drawTrash } from "./trash.js";
import { Treemap } from "./treemap/view.js";

/** How often the daemon is asked, in milliseconds: at rest, while something runs, and while it is gone. */
const pace = { rest: 5000, busy: 1000, goneFirst: 1000, goneMost: 8000 };
const historyEvery = 60_000;
/** Each run of the daemon has a token of its own. */
const startedAnew = {
  message: "The daemon was started anew, and has another token.",
  advice: "Open the address that it has printed, or write its token here. Plans that were shown before do not "
    + "hold any more; what was done is under Activity.",
};

class Page {
  constructor() {
    this.actions = {
      onExplain: (place) => this.explainPanel.open(place),
      onPlan: (request) => new PlanDialog(request, this.actions).open(),
      onReceipt: (id) => openReceipt(id, this.actions),
      onDispose: (files, onMoved) => disposeOf(files, this.actions, onMoved),
      onScan: (view) => this.scan(view),
      onAudit: () => this.showView("audit"),
      onChange: () => this.changed(),
      onStatus: () => this.poll(),
      onOutcome: (words, open) => sayOutcome(words, open),
    };
    this.explainPanel = new ExplainPanel(byId("explain"), this.actions);
    this.chart = new HistoryChart(byId("history"), this.actions.onReceipt);
    this.ladder = new Ladder(byId("ladder"), this.actions);
    this.treemap = new Treemap(byId("treemap"), byId("treemap-bar"), this.actions);
    this.clean = new CleanView(byId("view-clean"), this.actions);
    this.gonePause = pace.goneFirst;
    this.listen();
  }

  listen() {
    onConnection((isConnected, isSilent) => this.connectionChanged(isConnected, isSilent));
    addEventListener("hashchange", () => {
      if (adoptToken()) this.start();
      else this.route();
    });
    byId("skip").addEventListener("click", (event) => {
      // The fragment names the view.
      event.preventDefault();
      byId(byId("page").hidden ? "token" : "main").focus();
    });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.poll(); });
    byId("scan").addEventListener("click", () => this.scan(this.treemap.place.view));
    byId("history-table").addEventListener("click", ({ currentTarget }) => {
      const isTable = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", String(isTable));
      this.chart.setTable(isTable);
    });
    byId("token-form").addEventListener("submit", (event) => {
      event.preventDefault();
      setToken(byId("token").value);
      byId("token").value = "";
      this.start();
    });
    byId("job").addEventListener("click", () => {
      const job = this.status?.jobs[0];
      if (job) JobPanel.open(job, this.actions);
    });
  }

  start() {
    byId("unlock").hidden = hasToken();
    byId("page").hidden = !hasToken();
    if (!hasToken()) return void byId("token").focus();
    this.isLocked = false;
    this.wasOpen = false;
    this.historyAt = 0;
    this.route();
    this.poll();
    // Beside the status, not after it.
    this.treemap.open({ view: "areas" });
  }

  locked(error) {
    this.isLocked = true;
    // What they ask could not be answered any more, and they would lie over the question for the token.
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    this.explainPanel.close();
    byId("unlock").hidden = false;
    byId("page").hidden = true;
    fill(byId("unlock-trouble"), trouble(this.wasOpen ? startedAnew : error));
    byId("token").focus();
  }

  // MARK: - Asking

  async poll() {
    clearTimeout(this.timer);
    if (this.isLocked) return;
    if (this.isPolling) {
      this.pollsAgain = true;
      return;
    }
    this.isPolling = true;
    let pause = pace.rest;
    try {
      this.show(await get("/status"));
      this.gonePause = pace.goneFirst;
      if (this.status.jobs.length > 0 || this.status.inventory.state === "scanning") pause = pace.busy;
    } catch (error) {
      if (error.needsToken) {
        this.isPolling = false;
        return void this.locked(error);
      }
      pause = this.gonePause;
      this.gonePause = Math.min(pace.goneMost, 2 * this.gonePause);
      this.showTrouble(error);
    }
    this.isPolling = false;
    if (this.pollsAgain) {
      this.pollsAgain = false;
      pause = 0;
    }
    // Nobody looks: it is asked again when somebody does.
    if (!document.hidden || pause !== pace.rest) this.timer = setTimeout(() => this.poll(), pause);
  }

  /** Something was done here: what is shown may be no longer so. */
  changed() {
    if (this.isLocked) return;
    this.historyAt = 0;
    this.poll();
    this.route({ isRefresh: true });
  }

  connectionChanged(isConnected, isSilent) {
    const banner = byId("connection");
    if (isConnected) {
      banner.hidden = true;
      fill(banner);
      this.gonePause = pace.goneFirst;
      this.historyAt = 0;
      this.treemap.refresh();
      tryAgain(byId("main"));
      this.poll();
      return;
    }
    banner.hidden = false;
    fill(banner, el("p", {}, el("strong", {}, "The daemon does not answer"),
      ` since ${timeOf(new Date())}. `, isSilent
        ? "It takes what is asked and says nothing: it hangs, or has too much to do."
        : ["It may have ended: ", el("code", {}, "headroom serve"), " starts it."],
      " What is shown is as it was; this page comes back by itself."),
    el("button", { type: "button", onclick: () => this.poll() }, "Try now"));
  }

  showTrouble(error) {
    if (error.isGone) return;
    const banner = byId("connection");
    banner.hidden = false;
    fill(banner, trouble(error));
    this.isInTrouble = true;
  }

  // MARK: - Showing

  show(status) {
    const before = this.status;
    this.status = status;
    this.wasOpen = true;
    if (this.isInTrouble) {
      this.isInTrouble = false;
      byId("connection").hidden = true;
    }
    this.chooseVolume(status);
    this.drawHead(status);
    drawNotices(byId("notices"), status);
    drawAsking(byId("asking"), status, this.actions);
    if (isChanged(before, status, "volumes")) this.drawVolumes();
    if (isChanged(before, status, "ladder", "volumes", "inventory", "essentialBytes", "pinnedBytes", "deletedBytes")) {
      this.ladder.show(status);
    }
    if (!byId("lately").contains(document.activeElement)) {
      drawLately(byId("lately"), status, this.actions.onReceipt);
    }
    if (isChanged(before, status, "events")) drawEvents(byId("view-activity"), status);
    if (before && before.inventory.scanned !== status.inventory.scanned) this.treemap.refresh();
    this.loadHistory();
  }

  chooseVolume(status) {
    const wanted = this.volumeKey ?? sessionStorage.getItem("headroom-volume");
    this.volume = status.volumes.find((volume) => volumeKey(volume) === wanted)
      ?? sortedVolumes(status.volumes)[0];
  }

  drawVolumes() {
    drawVolumes(byId("volumes"), this.status.volumes, this.volume, (volume) => {
      this.volumeKey = volumeKey(volume);
      sessionStorage.setItem("headroom-volume", this.volumeKey);
      this.volume = volume;
      this.drawVolumes();
      this.historyAt = 0;
      this.loadHistory();
    });
  }

  drawHead(status) {
    const { inventory, mode, volumes } = status;
    const isScanning = inventory.state === "scanning" || status.jobs.some((job) => job.kind === "scan");
    const seen = isScanning ? "being scanned"
      : inventory.scanned ? `${counted(inventory.items, "item")} seen ${ago(new Date(inventory.scanned), new Date(status.time))}`
        : "not scanned yet";
    const unreadable = inventory.unreadable > 0 ? `, ${counted(inventory.unreadable, "place")} not readable` : "";
    fill(byId("seen"), `${seen}${unreadable}`);
    fill(byId("mode"), `mode ${mode}`);
    byId("mode").title = {
      observe: "Headroom only looks by itself", ask: "Headroom asks before it purges",
      act: "Headroom purges by its policy",
    }[mode] ?? "";
    byId("scan").disabled = isScanning;
    const job = status.jobs[0];
    byId("job").hidden = !job;
    if (job) byId("job").textContent = jobLabel(job);
    const { total, available } = this.volume ?? volumes[0] ?? {};
    document.title = total?.bytes > 0
      ? `${percent(1 - available.bytes / total.bytes)} used · Headroom` : "Headroom";
  }

  async loadHistory() {
    if (!this.volume || performance.now() - (this.historyAt || -Infinity) < historyEvery) return;
    this.historyAt = performance.now();
    const { volume } = this;
    try {
      const history = await get("/history", { volume: volumeKey(volume), days: 30, points: 500 });
      if (volumeKey(volume) !== volumeKey(this.volume)) return;
      this.chart.show(history);
      const inodes = inodeOutlookText(history.inodeForecast);
      fill(byId("history-of"), visible(volume.mountPoint), inodes ? ` ${inodes}` : "");
    } catch (error) {
      this.historyAt = 0;
      if (volumeKey(volume) !== volumeKey(this.volume)) return;
      if (error.status === 404) {
        this.historyAt = performance.now();
        this.chart.say("There is no history of this volume. It grows while the daemon runs.");
      } else if (!error.isGone) this.chart.say(error.message, " ", error.advice);
    }
  }

  // MARK: - Views

  route({ isRefresh = false } = {}) {
    const name = location.hash.slice(1) || "overview";
    const views = ["overview", "clean", "activity", "trash", "audit", "settings"];
    const shown = views.includes(name) ? name : "overview";
    for (const view of views) {
      byId(`view-${view}`).hidden = view !== shown;
      const link = document.querySelector(`nav.views a[href="#${view}"]`);
      if (view === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (!hasToken()) return;
    const holder = byId(`view-${shown}`);
    // What is being read is not taken away.
    if (isRefresh && (shown === "settings" || shown === "audit")) return;
    if (shown !== "clean") this.clean.leave();
    switch (shown) {
      case "clean": this.clean.open(); break;
      case "activity": drawActivity(holder, () => this.status, this.actions); break;
      case "trash": drawTrash(holder, this.actions, { isRefresh }); break;
      case "audit": drawAudit(holder, this.actions); break;
      case "settings": drawSettings(holder); break;
      default:
    }
  }

  showView(name) { location.hash = `#${name}`; }

  async scan(view) {
    if (this.isStartingScan) return;
    // Not disabled, which would take the focus away before the window knows where it was.
    this.isStartingScan = true;
    try {
      const { job } = await post("/scans", { view });
      const panel = JobPanel.open(job, {
        ...this.actions,
        onChange: () => {
          this.treemap.refresh();
          this.poll();
        },
      });
      panel.dialog.element.classList.add("small");
    } catch (error) {
      this.showTrouble(error);
    } finally {
      this.isStartingScan = false;
    }
    this.poll();
  }
}

/** What came of something whose window was closed: said above every view, until somebody has read it. */
function sayOutcome(words, open) {
  const leave = () => {
    banner.remove();
    // It would go with the button.
    byId("main").focus();
  };
  const banner = el("div", { class: "banner" }, el("p", {}, words),
    el("button", { type: "button", onclick: () => { leave(); open(); } }, "Show it"),
    el("button", { type: "button", class: "quiet", onclick: leave }, "Dismiss"));
  byId("outcome").append(banner);
}

function isChanged(before, after, ...names) {
  return !before || names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

adoptToken();
new Page().start();
