// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Long work: followed to its end, also over a daemon that is gone for a while.

import { follow, get, post } from "./api.js";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Follows a job to its end.
 *
 * @param {object} job as it was answered
 * @param {(job: object) => void} onProgress
 * @param {(error: Error) => void} onTrouble called when the daemon does not answer; it is tried on
 * @returns the job as it ended
 */
export async function followJob(job, onProgress, { signal, onTrouble } = {}) {
  let latest = job;
  let lastID;
  let pause = 250;
  onProgress(latest);
  while (latest.state === "running") {
    try {
      await follow(`/jobs/${encodeURIComponent(job.id)}/events`, (name, data, id) => {
        latest = data;
        lastID = id ?? lastID;
        pause = 250;
        onProgress(latest);
      }, { signal, lastID });
      // A stream that ended without the end of the job: somebody in between cut it.
      if (latest.state === "running") latest = await get(`/jobs/${encodeURIComponent(job.id)}`, {}, { signal });
    } catch (error) {
      // A daemon that was started anew knows nothing of the job; what it did is in a receipt.
      if (signal?.aborted || !error.isGone) throw error;
      onTrouble?.(error);
    }
    if (latest.state === "running") {
      await wait(pause);
      pause = Math.min(pause * 2, 4000);
    }
  }
  onProgress(latest);
  return latest;
}

/** Asks a job to stop between two items. */
export const cancelJob = (job) => post(`/jobs/${encodeURIComponent(job.id)}/cancel`);
