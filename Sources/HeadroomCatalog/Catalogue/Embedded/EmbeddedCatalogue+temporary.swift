//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/temporary.catalogue: change that.

extension EmbeddedCatalogue {
    static let temporary = Text(
        file: "temporary.catalogue",
        content: #"""
            [unsaved-files]
            name       = Unsaved files
            what       = Copies of documents, scripts and settings that were being edited
            path       = /tmp/.arduinoIDE-unsaved*
            path       = /tmp/orcaslicer_model
            path       = /tmp/bamboo_model
            path       = /tmp/kubectl-edit-*
            path       = /tmp/oc-edit-*
            path       = /tmp/crontab.*
            path       = /tmp/#*#
            path       = /tmp/*~
            path       = /tmp/.*~
            path       = /tmp/*[uU]nsaved*
            path       = /tmp/*.save
            path       = /tmp/DEADJOE
            path       = /tmp/wandb
            class      = essential
            cost       = Changes that were not saved are lost
            source     = https://github.com/arduino/arduino-ide/issues/1089

            [kept-in-temporary]
            name       = Drafts, patches, dumps
            what       = Messages that were not sent, patches, bundles, backups and dumps of databases in temporary directories
            path       = /tmp/*[dD]raft*
            path       = /tmp/*[rR]ecover*
            path       = /tmp/*.eml
            path       = /tmp/gh[0-9]*.json
            path       = /tmp/reportbug-*
            path       = /tmp/ipython_edit_*
            path       = /tmp/chat_cache
            path       = /tmp/*.patch
            path       = /tmp/*.diff
            path       = /tmp/*.bundle
            path       = /tmp/*.hg
            path       = /tmp/*[-_.][bB]ackup*
            path       = /tmp/[bB]ackup[-_.]*
            path       = /tmp/[bB]ackup
            path       = /tmp/[bB]ackups
            path       = /tmp/*.bak
            path       = /tmp/*.dump
            path       = /tmp/*.sql
            path       = /tmp/*.sql.*
            path       = /tmp/*_dump
            path       = /tmp/mongodump
            path       = /tmp/*.rdb
            path       = /tmp/checkpoint.tar.*
            path       = /tmp/*[-_]snapshot.db
            path       = /tmp/*/*.patch
            path       = /tmp/*/*.diff
            path       = /tmp/*/*.bundle
            path       = /tmp/*/*.eml
            path       = /tmp/*/*.sql
            path       = /tmp/*/*.sql.*
            path       = /tmp/*/*.dump
            path       = /tmp/*/wandb/offline-run-*
            path       = /var/tmp/sosreport-*
            path       = /var/tmp/check_logfiles
            path       = /tmp/*[aA]uto[sS]ave*
            path       = /tmp/*emergency*
            path       = /tmp/*[cC]ompose-*
            path       = /tmp/untitled[0-9]*
            path       = /tmp/gis_*
            path       = /tmp/FreeCAD_Doc_*
            path       = /tmp/rMD-session-*
            path       = /tmp/kazam_*
            path       = /tmp/gscan2pdf-*
            path       = /tmp/Pencil2D
            path       = /tmp/*.jjdescription
            path       = /tmp/bzr_log*
            path       = /tmp/mutt-*
            path       = /tmp/neomutt-*
            path       = /tmp/mozilla_*
            path       = /tmp/fz3temp-*
            path       = /tmp/[0-9][0-9][0-9][0-9].png
            path       = /tmp/[0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9].*
            path       = /tmp/.tdlib_files
            path       = /tmp/rclone
            path       = /tmp/rclone-*
            path       = /tmp/*.pid
            path       = /tmp/result
            path       = /tmp/result-*
            path       = /tmp/*/*[aA]uto[sS]ave*
            path       = /tmp/*/*[rR]ecover*
            path       = /tmp/*/*[uU]nsaved*
            path       = /tmp/*/[dD]raft*
            path       = /var/tmp/*.conf
            path       = /var/tmp/*.[a-zA-Z0-9]{8}
            class      = essential
            cost       = They may exist nowhere else
            source     = https://www.postgresql.org/docs/current/app-pgdump.html

            [log-servers]
            name       = Servers' data in /tmp
            what       = Messages, logs, tables and positions of servers that keep them in /tmp
            path       = /tmp/kafka-logs*
            path       = /tmp/kafka-streams
            path       = /tmp/kraft-*-logs
            path       = /tmp/connect.offsets
            path       = /tmp/confluent.*
            path       = /tmp/zookeeper*
            path.linux = /tmp/hadoop-*
            path.linux = /tmp/hbase-*
            path       = /tmp/nats
            path       = /tmp/loki
            path       = /tmp/tempo
            path       = /tmp/mimir
            path       = /tmp/positions.y*ml
            path       = /tmp/spark-events
            path.linux = /tmp/pgpool_status
            path.linux = /tmp/hostpath-provisioner
            path.linux = /tmp/hostpath_pv
            path       = /tmp/etcd*
            path       = /tmp/mlflow*
            path       = /tmp/mlruns
            path       = /tmp/lancedb
            path       = /tmp/client_temp
            path       = /tmp/proxy_temp*
            path       = /tmp/fastcgi_temp
            path       = /tmp/uwsgi_temp
            path       = /tmp/scgi_temp
            class      = essential
            cost       = All messages, tables and files of the server are lost, or are read in again as duplicates
            source     = https://docs.nats.io/running-a-nats-service/configuration/resource_management

            [keys-in-temporary]
            name       = Keys in /tmp
            what       = Private keys, tickets and logins that people made or copied there
            path       = /tmp/id_rsa
            path       = /tmp/id_ecdsa
            path       = /tmp/id_ed25519
            path       = /tmp/*.key
            path       = /tmp/*key.pem
            path       = /tmp/*_key
            path       = /tmp/*.kdbx
            path       = /tmp/*.keytab
            path       = /tmp/kubeconfig*
            path       = /tmp/*.kubeconfig
            path       = /tmp/wallet.dat
            path       = /tmp/*[cC]redential*
            path       = /tmp/*[-_]token
            path       = /tmp/*[-_]token.*
            path       = /tmp/*.p12
            path       = /tmp/*.pfx
            path       = /tmp/vault.init
            path       = /tmp/gnupg*
            path       = /tmp/.gnupg
            path       = /tmp/*/id_rsa
            path       = /tmp/*/id_ecdsa
            path       = /tmp/*/id_ed25519
            path       = /tmp/*/*.key
            path       = /tmp/*/*key.pem
            path       = /tmp/*/private-keys-v1.d
            path       = /tmp/*/pubring.kbx
            path       = /tmp/*/secring.gpg
            path       = /tmp/*/*.kdbx
            path       = /tmp/*/*.keytab
            path       = /tmp/*/private/*.key
            path       = /tmp/*/private/*key.pem
            path       = /tmp/*/private/*.key.pem
            class      = essential
            cost       = A key that exists nowhere else is lost
            source     = https://github.com/drduh/YubiKey-Guide
            """#)
}
