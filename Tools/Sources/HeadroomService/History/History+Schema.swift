//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB

extension History {
    /// The forms that the database has had. A form that was ever released is never changed: a new one is
    /// added behind it.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE volume (
                        id INTEGER PRIMARY KEY,
                        mountPoint BLOB NOT NULL,
                        type TEXT NOT NULL,
                        UNIQUE (mountPoint, type));
                    CREATE TABLE sample (
                        volume INTEGER NOT NULL REFERENCES volume ON DELETE CASCADE,
                        time INTEGER NOT NULL,
                        available INTEGER NOT NULL,
                        total INTEGER NOT NULL,
                        availableInodes INTEGER,
                        inodes INTEGER,
                        PRIMARY KEY (volume, time)) WITHOUT ROWID;
                    CREATE TABLE subject (
                        id INTEGER PRIMARY KEY,
                        kind TEXT NOT NULL,
                        name BLOB NOT NULL,
                        UNIQUE (kind, name));
                    CREATE TABLE usage (
                        subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
                        time INTEGER NOT NULL,
                        bytes INTEGER NOT NULL,
                        items INTEGER,
                        PRIMARY KEY (subject, time)) WITHOUT ROWID;
                    CREATE TABLE receipt (
                        id TEXT PRIMARY KEY,
                        time INTEGER NOT NULL,
                        trigger TEXT NOT NULL,
                        volume TEXT NOT NULL,
                        expected INTEGER NOT NULL,
                        gained INTEGER NOT NULL,
                        removedItems INTEGER NOT NULL,
                        skippedItems INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE INDEX receiptByTime ON receipt (time);
                    CREATE TABLE freed (
                        receipt TEXT NOT NULL REFERENCES receipt ON DELETE CASCADE,
                        class TEXT NOT NULL,
                        bytes INTEGER NOT NULL,
                        PRIMARY KEY (receipt, class)) WITHOUT ROWID;
                    CREATE TABLE event (
                        id INTEGER PRIMARY KEY,
                        time INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        volume BLOB,
                        level INTEGER,
                        text TEXT NOT NULL);
                    CREATE INDEX eventByTime ON event (time);
                    """)
        }
        migrator.registerMigration("2") { db in
            try db.execute(
                sql: """
                    ALTER TABLE usage ADD COLUMN purgeable INTEGER;
                    ALTER TABLE event ADD COLUMN subject TEXT;
                    """)
        }
        return migrator
    }()
}
