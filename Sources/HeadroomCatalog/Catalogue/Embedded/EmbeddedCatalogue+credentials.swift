//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/credentials.catalogue: change that.

extension EmbeddedCatalogue {
    static let credentials = Text(
        file: "credentials.catalogue",
        content: #"""
            [credentials]
            name       = Keys to accounts
            what       = Keys and tokens with which programs sign in
            path       = $XDG_CACHE_HOME/*[cC]redential*
            path       = $XDG_CACHE_HOME/token
            path       = $XDG_CACHE_HOME/tokens*
            path       = $XDG_CACHE_HOME/*token.json
            path       = $XDG_CACHE_HOME/auth*.json
            path       = $XDG_CACHE_HOME/*/*[cC]redential*
            path       = $XDG_CACHE_HOME/*/token
            path       = $XDG_CACHE_HOME/*/tokens*
            path       = $XDG_CACHE_HOME/*/*token.json
            path       = $XDG_CACHE_HOME/*/auth*.json
            path       = $XDG_CACHE_HOME/*/*/*[cC]redential*
            path       = $XDG_CACHE_HOME/*/*/token
            path       = $XDG_CACHE_HOME/*/*/tokens*
            path       = $XDG_CACHE_HOME/*/*/*token.json
            path       = $XDG_CACHE_HOME/*/*/auth*.json
            path       = $XDG_CACHE_HOME/*[-_]token
            path       = $XDG_CACHE_HOME/*[-_]token.*
            path       = $XDG_CACHE_HOME/*token_data*
            path       = $XDG_CACHE_HOME/*token_cache*
            path       = $XDG_CACHE_HOME/*oauth*
            path       = $XDG_CACHE_HOME/cookies.*
            path       = $XDG_CACHE_HOME/*key.pem
            path       = $XDG_CACHE_HOME/id_rsa
            path       = $XDG_CACHE_HOME/id_ecdsa
            path       = $XDG_CACHE_HOME/id_ed25519
            path       = $XDG_CACHE_HOME/*.kdbx
            path       = $XDG_CACHE_HOME/wallet.dat
            path       = $XDG_CACHE_HOME/api_key*
            path       = $XDG_CACHE_HOME/*/*[-_]token
            path       = $XDG_CACHE_HOME/*/*[-_]token.*
            path       = $XDG_CACHE_HOME/*/*token_data*
            path       = $XDG_CACHE_HOME/*/*token_cache*
            path       = $XDG_CACHE_HOME/*/*oauth*
            path       = $XDG_CACHE_HOME/*/cookies.*
            path       = $XDG_CACHE_HOME/*/*key.pem
            path       = $XDG_CACHE_HOME/*/id_rsa
            path       = $XDG_CACHE_HOME/*/id_ecdsa
            path       = $XDG_CACHE_HOME/*/id_ed25519
            path       = $XDG_CACHE_HOME/*/*.kdbx
            path       = $XDG_CACHE_HOME/*/wallet.dat
            path       = $XDG_CACHE_HOME/*/api_key*
            path       = $XDG_CACHE_HOME/*/*/*[-_]token
            path       = $XDG_CACHE_HOME/*/*/*[-_]token.*
            path       = $XDG_CACHE_HOME/*/*/*token_data*
            path       = $XDG_CACHE_HOME/*/*/*token_cache*
            path       = $XDG_CACHE_HOME/*/*/*oauth*
            path       = $XDG_CACHE_HOME/*/*/cookies.*
            path       = $XDG_CACHE_HOME/*/*/*key.pem
            path       = $XDG_CACHE_HOME/*/*/id_rsa
            path       = $XDG_CACHE_HOME/*/*/id_ecdsa
            path       = $XDG_CACHE_HOME/*/*/id_ed25519
            path       = $XDG_CACHE_HOME/*/*/*.kdbx
            path       = $XDG_CACHE_HOME/*/*/wallet.dat
            path       = $XDG_CACHE_HOME/*/*/api_key*
            path       = $XDG_CACHE_HOME/gleam/hex/hexpm/credential*
            path       = $XDG_CACHE_HOME/gargle
            path       = $XDG_CACHE_HOME/httr2
            class      = essential
            cost       = Users have to sign in again
            source     = https://github.com/gleam-lang/gleam/blob/main/compiler-core/src/paths.rs

            [keyring]
            name       = Keyrings and agents
            what       = Sockets of agents that hold keys
            path.linux = $XDG_CACHE_HOME/keyring*
            path.linux = $XDG_CACHE_HOME/gnupg
            path.linux = $XDG_CACHE_HOME/ssh-agent*
            class      = essential
            cost       = Programs lose the connection to the agent until the next login
            source     = https://wiki.gnome.org/Projects/GnomeKeyring

            [playwright-mcp]
            name       = Playwright MCP
            what       = Profiles of browsers, with their logins
            path       = $XDG_CACHE_HOME/ms-playwright-mcp
            path       = $PLAYWRIGHT_BROWSERS_PATH/mcp-*
            path.macos = ~/Library/Caches/ms-playwright-mcp
            class      = essential
            cost       = Users have to sign in again, and bookmarks and settings of the profile are lost
            source     = https://github.com/microsoft/playwright/pull/40961

            [rbw]
            name       = rbw
            what       = Passwords of a Bitwarden account
            path       = $XDG_CACHE_HOME/rbw*
            path.macos = ~/Library/Caches/rbw*
            class      = essential
            cost       = Passwords are missing until rbw has signed in and synchronized again
            source     = https://github.com/doy/rbw/blob/main/src/dirs.rs

            [kerberos]
            name       = Kerberos
            what       = Tickets with which programs sign in
            path       = /tmp/krb5cc*
            path       = $XDG_CACHE_HOME/krb5cc*
            class      = essential
            cost       = Users have to sign in again
            source     = https://web.mit.edu/kerberos/krb5-latest/doc/basic/ccache_def.html
            """#)
}
