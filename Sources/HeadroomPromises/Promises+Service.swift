//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Testing

/// The clauses of the requirements on policies, the service, the command line and downloads.
extension Tag {
    // MARK: - R23 Pressure levels

    /// Warning starts below 10 % or 8 GiB available, critical below 5 % or 2 GiB, whichever is smaller. For
    /// inodes, 10 % and 5 % count.
    @Tag public static var r23a: Self
    /// A level starts at once. It ends only after available bytes or inodes have been at least 1.25 times
    /// its threshold for 5 minutes.
    @Tag public static var r23b: Self
    /// Read-only and pseudo file systems get no level. Headroom names a volume that does not answer, skips
    /// its areas, and delays no other volume.
    @Tag public static var r23c: Self
    /// A stream reports level changes. Headroom polls every 60, 10 or 2 s by level, or after half the time
    /// in which the next threshold can be reached.
    @Tag public static var r23d: Self
    /// A purge never starts while the available space is at or above its target.
    @Tag public static var r23e: Self
    /// You can configure the thresholds, factors and times of the pressure levels for each volume.
    @Tag public static var r23f: Self
    /// A low-space notification of the platform triggers a reading. A memory warning does not.
    @Tag public static var r23g: Self

    // MARK: - R24 Classes that each level may purge

    /// Normal purges only expired and over-limit items. Warning adds temporary items, caches and day-old
    /// Trash items, and critical adds last resort.
    @Tag public static var r24a: Self
    /// A purge frees enough to reach twice the crossed threshold, and at least 1 % of the volume or 1 GiB,
    /// whichever is smaller.
    @Tag public static var r24b: Self
    /// If all eligible items together are less than half of the shortage, a purge deletes temporary items
    /// only.
    @Tag public static var r24c: Self
    /// At normal, Headroom purges temporary items and no others if the forecast expects warning within a
    /// day.
    @Tag public static var r24d: Self
    /// If a purge cannot help, Headroom notifies you at once and then hourly, by log, metric, desktop,
    /// command and webhook. A way that fails blocks no other.
    @Tag public static var r24e: Self
    /// The dashboard shows a banner for a volume that a purge cannot help, until that has changed.
    @Tag public static var r24f: Self

    // MARK: - R25 Triggers

    /// Launch, version change and interval (default 24 h) trigger a cleanup. An interrupted one is due
    /// again, and a clock set back does not delay it.
    @Tag public static var r25a: Self
    /// In a simulated week with crashes, clock jumps, battery power and quiet hours, the daemon obeys the
    /// rule of every trigger.
    @Tag public static var r25b: Self
    /// If a write fills the volume or exceeds a quota, Headroom frees space and the write continues.
    @Tag public static var r25c: Self
    /// Scheduled cleanups wait during quiet hours and, if so configured, while the machine runs on battery.
    @Tag public static var r25d: Self
    /// Headroom purges no items by age while wall and monotonic clocks disagree by more than a day. Size
    /// limits still apply.
    @Tag public static var r25e: Self
    /// A purge skips an area that another purge is working on and frees the missing bytes in other areas.
    @Tag public static var r25f: Self

    // MARK: - R26 Modules

    /// Modules run one by one, most over quota first, those without a quota last. A request names the
    /// module's excess, or the amount that the user selected.
    @Tag public static var r26a: Self
    /// A module that fails or hangs does not stop the others. Headroom does not call it again until it has
    /// returned.
    @Tag public static var r26b: Self
    /// Each module has its own time limit. Its request contains the resulting deadline.
    @Tag public static var r26c: Self
    /// In the daemon, a module is two commands that run only as the owner of their configuration. They read
    /// the request as JSON from standard input.
    @Tag public static var r26d: Self
    /// By default, a module has 30 seconds, counted from the start of its own turn.
    @Tag public static var r26e: Self

    // MARK: - R27 Background

    /// On Linux, one systemd unit starts the daemon and a timer starts single sweeps. systemd accepts all
    /// units without a warning.
    @Tag public static var r27a: Self
    /// On iOS, the app registers a `BGProcessingTask` once and in time, completes it exactly once, cancels
    /// its work on expiry, and submits it again.
    @Tag public static var r27b: Self
    /// On macOS, a background activity answers each run once and defers when the system asks. It works even
    /// if the app keeps no reference to it.
    @Tag public static var r27c: Self

    // MARK: - R28 Forecast

    /// The real time until warning, critical and full is within the forecast's range at least as often as
    /// Headroom states (80 %).
    @Tag public static var r28a: Self
    /// With too few samples the forecast is unknown. One large file widens the range instead of counting as
    /// a trend.
    @Tag public static var r28b: Self
    /// `headroom forecast` shows the forecast, and the metrics export it.
    @Tag public static var r28c: Self
    /// If the forecast expects a threshold soon, Headroom reads the volume more often, and purges temporary
    /// items before space is short.
    @Tag public static var r28d: Self

    // MARK: - R29 Daemon

    /// By default the daemon observes: it logs the items that it would purge and deletes no file. In mode
    /// `act` it purges by policy.
    @Tag public static var r29a: Self
    /// In every mode, a plan that a user confirmed is purged: only items that were shown and not
    /// deselected. Headroom withdraws a proposal once it is not needed.
    @Tag public static var r29b: Self
    /// The daemon leaves content under a new declaration alone for the grace period, across restarts. An
    /// edit that allows more purging counts as new.
    @Tag public static var r29c: Self
    /// Headroom reports an invalid configuration file with file, line, key and remedy. It rejects the whole
    /// configuration and keeps the previous one.
    @Tag public static var r29d: Self
    /// A root daemon reads only configuration files that root owns and others cannot write, in directories
    /// that other users do not control.
    @Tag public static var r29e: Self
    /// Drop-in files add declarations in order. If two declare the same directory, the more protective one
    /// wins, and a note names both.
    @Tag public static var r29f: Self
    /// The daemon listens only on loopback or on a Unix socket that only its user can open. It rejects
    /// every other address.
    @Tag public static var r29g: Self
    /// The daemon never overwrites or deletes another program's file that it finds at one of its paths. It
    /// refuses the path or sets the file aside intact.
    @Tag public static var r29h: Self

    // MARK: - R30 Cleanup tasks

    /// A task deletes direct children by name or wildcard, each directory whole or not at all. Without
    /// entries, it empties the directory and keeps it.
    @Tag public static var r30a: Self
    /// A task calls the actions that the program registered, one after another in the listed order.
    @Tag public static var r30b: Self
    /// The run rejects and names an invalid task (essential path, link, unknown action) and carries out the
    /// other tasks.
    @Tag public static var r30c: Self
    /// The run also empties the purgeable directories, and keeps the directories and their registrations.
    @Tag public static var r30d: Self
    /// The run reports phases and the real fraction of work done, to callbacks on the main actor and as an
    /// `AsyncSequence`. A canceled run never reaches 1.
    @Tag public static var r30e: Self
    /// The run reports the decrease of the container's allocated bytes as freed, with the volume's gain
    /// beside it.
    @Tag public static var r30f: Self

    // MARK: - R31 Select and clean

    /// Each item is listed in its section: caches, downloads, user files by kind, or Trash.
    @Tag public static var r31a: Self
    /// The preview deletes no file. Cleaning removes only the selected items and frees exactly the bytes
    /// that the preview shows.
    @Tag public static var r31b: Self
    /// Deep clean purges all re-creatable items, including last resort. It keeps every user file and every
    /// item in Trash.
    @Tag public static var r31c: Self
    /// In the terminal, you select, clean and undo by keyboard. The program restores the terminal however
    /// it ends.
    @Tag public static var r31d: Self
    /// In the dashboard you clean only selected items and modules, by mouse or keyboard, and can undo moves
    /// to Trash. It rejects an outdated confirmation.
    @Tag public static var r31e: Self

    // MARK: - R32 System caches

    /// Headroom deletes leftovers that frameworks create in `tmp`, by their names in every language, only
    /// at the top level and after one day.
    @Tag public static var r32a: Self
    /// Headroom deletes launch closures by the rule for the system's version, and never the live ones.
    @Tag public static var r32b: Self
    /// The catalog lists well-known caches with class and unit. No variable or entry turns user content
    /// into a cache.
    @Tag public static var r32c: Self
    /// A tool still works after Headroom has purged its cache in part or whole.
    @Tag public static var r32d: Self
    /// Headroom shows a tool's own clean command and asks before it runs it. Purges skip caches that only
    /// their tool may empty.
    @Tag public static var r32e: Self
    /// Headroom deletes web data by type, domain and age: only cache types by default, never cookies. It
    /// empties URLCache through its API.
    @Tag public static var r32f: Self

    // MARK: - R33 Trash

    /// Moving a file to Trash frees no space yet. The receipt says so, and the CLI shows how much emptying
    /// the Trash will free.
    @Tag public static var r33a: Self
    /// A restored item is exactly as it was, including its marks. Restoring never replaces an existing
    /// file.
    @Tag public static var r33b: Self
    /// trash-cli lists and restores items that Headroom moved to Trash, and Headroom does so with items
    /// that GIO moved there.
    @Tag public static var r33c: Self
    /// Each volume has its own Trash. Headroom uses a shared one only if it has the sticky bit, and never
    /// copies items to another volume.
    @Tag public static var r33d: Self
    /// Trash items expire 30 days after deletion, regardless of file times. A wrong date in a note or
    /// another time zone never makes them expire sooner.
    @Tag public static var r33e: Self
    /// `headroom trash --permanently` deletes a file only after a confirmation or with `--yes`.
    @Tag public static var r33f: Self
    /// On Apple platforms, Headroom uses the system's Trash and records where each item is. Undo restores
    /// it from there and replaces no file.
    @Tag public static var r33g: Self

    // MARK: - R34 Downloads

    /// The intent decides a download's directory and class: cache for `optional`, last resort for
    /// `requested`, essential for `essential`. Backups exclude all.
    @Tag public static var r34a: Self
    /// A download that does not fit is declined before any data arrives. Headroom returns this as a result
    /// and deletes no file for it.
    @Tag public static var r34b: Self
    /// Simultaneous requests for the same URL share one download.
    @Tag public static var r34c: Self
    /// A later call resumes a partial download, or starts from scratch if the file on the server has
    /// changed.
    @Tag public static var r34d: Self
    /// If the SHA-256 is wrong, no file and no partial file are left. After `kill -9`, either the complete
    /// file is there or no file.
    @Tag public static var r34e: Self
    /// A partial download is a temporary item, so purges delete it first.
    @Tag public static var r34f: Self

    // MARK: - R35 Protection levels

    /// On Apple platforms, a save protects a file at its level, or the replaced file's, before the first
    /// byte, or fails. An unstated level reads as unknown.
    @Tag public static var r35a: Self
    /// Headroom reports once to each listener when protected data becomes available or unavailable. A late
    /// listener gets the current state.
    @Tag public static var r35b: Self
    /// `explain`, inventory and audit show the system's protection level, or unknown. For files that
    /// Headroom encrypted, they show Headroom's level.
    @Tag public static var r35c: Self

    // MARK: - R36 Encryption elsewhere

    /// Each file has its own key and authenticated chunks. Reads detect every changed bit and every
    /// truncation, and can start at any offset.
    @Tag public static var r36a: Self
    /// Locking, unlocking and changing the passphrase rewrite no file. After `kill -9` during a change,
    /// exactly one of the two passphrases works.
    @Tag public static var r36b: Self
    /// While locked, Headroom writes new files at the level `completeUnlessOpen` and at no other level.
    @Tag public static var r36c: Self
    /// Encrypting or decrypting a file in place keeps a complete file at its path at every moment.
    /// Replacements by other programs and marks survive.
    @Tag public static var r36d: Self
    /// `explain`, audit, CLI, API and dashboard show a file's protection level.
    @Tag public static var r36e: Self
    /// Headroom wipes class keys from memory as soon as they are locked, and any other secret when its last
    /// reference ends.
    @Tag public static var r36f: Self

    // MARK: - R37 CLI

    /// Commands that only inspect (`status`, `plan`, `simulate`, `audit`) change no file.
    @Tag public static var r37a: Self
    /// Commands that delete undeclared content ask first, or need `--yes` without a terminal. `dir check`,
    /// `cache compact`, `sweep` and `serve` do not ask.
    @Tag public static var r37b: Self
    /// The exit code is 0 for done, 1 failed, 2 wrong usage, 3 target not reached, 4 partly done, and 130
    /// interrupted.
    @Tag public static var r37c: Self
    /// `status` and `doctor` list deleted files that are still open, with the process that holds them.
    @Tag public static var r37d: Self
    /// Unmarking removes Headroom's own marks and tags and lists them. It keeps the tags and attributes of
    /// other programs.
    @Tag public static var r37e: Self
    /// In a pipe, the CLI draws no progress bars, uses no color and truncates no line.
    @Tag public static var r37f: Self
    /// Every command that reports something accepts `--json` and prints a document that names its schema.
    @Tag public static var r37g: Self
    /// Only the commands that the help lists as deleting ever delete. All others lose no byte, and those
    /// that only inspect change no file.
    @Tag public static var r37h: Self
    /// The CLI generates completions for bash, zsh and fish with all its commands, and man pages with all
    /// their options.
    @Tag public static var r37i: Self
    /// The CLI encrypts and decrypts files, locks and unlocks keys, and changes the passphrase.
    @Tag public static var r37j: Self

    // MARK: - R38 Dashboard

    /// Every API operation requires the token, however its path is spelled. The daemon rejects foreign Host
    /// headers and cross-site requests.
    @Tag public static var r38a: Self
    /// The dashboard loads every resource from the daemon. Its content security policy blocks inline
    /// scripts and all requests to other hosts.
    @Tag public static var r38b: Self
    /// The dashboard shows volumes, purge order, history, treemap, plan, progress, receipts and backup
    /// audit, and explains any path.
    @Tag public static var r38c: Self
    /// In the dashboard, you can plan, confirm and purge by keyboard alone, from the first screen to the
    /// receipt.
    @Tag public static var r38d: Self
    /// An accessibility checker finds no fault in the dashboard in light or dark mode, and every view fits
    /// a phone's screen.
    @Tag public static var r38e: Self
    /// If another session changes the plan or purges its items first, a confirmation deletes no file, not
    /// even one created again since.
    @Tag public static var r38f: Self
    /// The dashboard shows every file name as text. Markup, control characters and invalid UTF-8 in a name
    /// have no effect.
    @Tag public static var r38g: Self

    // MARK: - R39 Simulate

    /// `simulate` shows the items that each level would purge, in order, if less space were available. It
    /// deletes no file.
    @Tag public static var r39a: Self
    /// The simulation applies the configuration, including the thresholds of one volume. It lists items in
    /// purge order and never an essential item.
    @Tag public static var r39b: Self

    // MARK: - R40 Interoperability

    /// ncdu and gdu open an exported scan and find the same totals. Headroom imports ncdu listings and
    /// rejects a truncated one.
    @Tag public static var r40a: Self
    /// Rules of `tmpfiles.d` purge the same files as systemd-tmpfiles, or fewer if a specifier is unknown
    /// or a line protects one file of a database.
    @Tag public static var r40b: Self
    /// promtool and Prometheus accept the metrics. The documentation lists each of them.
    @Tag public static var r40c: Self
    /// The privacy manifest gives reasons for each kind of API that needs them. The sources call no other
    /// such API.
    @Tag public static var r40d: Self

    // MARK: - R41 Anomalies

    /// `scan --since` reports new, grown and deleted content since a saved listing. Since a time, it
    /// reports new content and says that it sees no deletions.
    @Tag public static var r41a: Self
    /// Headroom notices a jump in an area's size within an hour, and ignores steady growth.
    @Tag public static var r41b: Self
    /// Headroom reports unusual growth once, with the largest new items as its cause, in log and metrics.
    /// The status shows it for a day.
    @Tag public static var r41c: Self
    /// The history records the sizes of modules as well as those of areas.
    @Tag public static var r41d: Self
    /// Headroom reports the unusual growth of a module once, even across restarts.
    @Tag public static var r41e: Self
    /// The dashboard shows unusual growth with its cause, on the first screen and among the events.
    @Tag public static var r41f: Self
}
