//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Each tool fills its cache, Headroom purges it partly and wholly, and the tool still works.
@Suite("R32: caches of the real tools")
struct RealToolTests {
    @Test(.tags(.r32d), .enabled(if: RealToolFixture.has("ccache", "gcc"), "needs ccache and gcc"))
    func ccache() throws {
        let tools = try RealToolFixture()
        for number in 0..<12 {
            try tools.tree.file(
                TreePath(stringLiteral: "src/f\(number).c"),
                text: "int f\(number)(int x) { return x * \(number); }\n")
        }
        func build() throws -> [[UInt8]] {
            try (0..<12).map { number in
                try tools.run(
                    "ccache", "gcc", "-c", "f\(number).c", "-o", "f\(number).o", in: "src")
                return try tools.tree.contents(of: TreePath(stringLiteral: "src/f\(number).o"))
            }
        }
        let objects = try build()
        try tools.purge("ccache") {
            let again = try build()
            #expect(again == objects)
        }
        try tools.run("ccache", "--cleanup")
    }

    @Test(
        .enabled(
            if: RealToolFixture.has("pip3")
                && (try? ChildProcess.run(
                    "/usr/bin/python3", ["-c", "import setuptools, wheel"]
                ).succeeded) == true,
            "needs python3-pip, python3-setuptools and python3-wheel"))
    func pip() throws {
        let tools = try RealToolFixture()
        for name in ["alpha", "beta", "gamma"] {
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)-1.0/setup.py"),
                text: "from setuptools import setup\n"
                    + "setup(name='\(name)', version='1.0', py_modules=['\(name)'])\n")
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)-1.0/\(name).py"), text: "answer = 42\n")
            try tools.run("tar", "czf", "\(name)-1.0.tar.gz", "\(name)-1.0")
        }
        var target = 0
        func install() throws {
            target += 1
            try tools.run(
                "/usr/bin/pip3", "install", "--no-index", "--no-deps", "--no-build-isolation",
                "--find-links", tools.base.string, "--target", "t\(target)", "alpha", "beta",
                "gamma")
            let answer = try tools.run(
                "/usr/bin/python3", "-c", "import alpha, gamma; print(gamma.answer)",
                with: ["PYTHONPATH": tools.base.appending("t\(target)").string])
            #expect(answer == "42\n")
        }
        try install()
        try tools.purge("pip", afterwards: install)
    }

    @Test(.enabled(if: RealToolFixture.has("go"), "needs golang-go"))
    func goModulesAndBuilds() throws {
        let tools = try RealToolFixture()
        // A proxy of two modules, in files.
        try tools.tree.file("make.py", text: Self.goProxy)
        try tools.run("/usr/bin/python3", "make.py")
        try tools.tree.file(
            "app/go.mod",
            text: "module example.com/app\n\ngo 1.19\n\nrequire (\n\texample.com/one v1.0.0\n"
                + "\texample.com/two v1.0.0\n)\n")
        try tools.tree.file(
            "app/main.go",
            text: "package main\n\nimport (\n\t\"example.com/one\"\n\t\"example.com/two\"\n)\n\n"
                + "func main() { println(one.Answer + two.Answer) }\n")
        let variables = [
            "GOPROXY": "file://\(tools.base.appending("proxy").string)", "GOSUMDB": "off",
            "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0",
        ]
        func build() throws {
            try tools.run("go", "build", "-o", "app.out", in: "app", with: variables)
            let result = try ChildProcess.run(tools.base.appending("app/app.out").string)
            #expect(result.errors == "42\n")
        }
        try build()
        let module = "home/go/pkg/mod/example.com/one@v1.0.0" as TreePath
        #expect(try tools.tree.status(of: module).permissions & 0o222 == 0)
        try tools.purge("go-modules", afterwards: build)
        try tools.purge("go-build", afterwards: build)
        // Its own command works on what was left and made again.
        try tools.run("go", "clean", "-modcache", with: variables)
        #expect(!tools.tree.exists(module))
    }

    private static let goProxy = """
        import os, zipfile
        for name, answer in (("one", 40), ("two", 2)):
            path = f"proxy/example.com/{name}/@v"
            os.makedirs(path)
            module = f"module example.com/{name}\\n\\ngo 1.19\\n"
            open(path + "/list", "w").write("v1.0.0\\n")
            open(path + "/v1.0.0.info", "w").write('{"Version":"v1.0.0"}')
            open(path + "/v1.0.0.mod", "w").write(module)
            with zipfile.ZipFile(path + "/v1.0.0.zip", "w") as archive:
                root = f"example.com/{name}@v1.0.0/"
                archive.writestr(root + "go.mod", module)
                archive.writestr(root + "a.go", f"package {name}\\n\\nconst Answer = {answer}\\n")

        """

    @Test(.enabled(if: RealToolFixture.has("cargo", "git", "gcc"), "needs cargo and git"))
    func cargo() throws {
        let tools = try RealToolFixture()
        for name in ["one", "two"] {
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/Cargo.toml"),
                text: "[package]\nname = \"\(name)\"\nversion = \"1.0.0\"\nedition = \"2021\"\n")
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/src/lib.rs"), text: "pub const ANSWER: i32 = 21;\n"
            )
            try tools.commit(name)
        }
        let url = "file://\(tools.base.string)"
        try tools.tree.file(
            "app/Cargo.toml",
            text:
                "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\n"
                + "one = { git = \"\(url)/one\" }\ntwo = { git = \"\(url)/two\" }\n")
        try tools.tree.file(
            "app/src/main.rs", text: "fn main() { println!(\"{}\", one::ANSWER + two::ANSWER); }\n")
        func fetch() throws {
            let output = try tools.run("/usr/bin/cargo", "run", "--quiet", in: "app")
            #expect(output == "42\n")
        }
        try fetch()
        try tools.purge("cargo-git", afterwards: fetch)
    }

    @Test(.enabled(if: RealToolFixture.has("git"), "needs git"))
    func swiftPM() throws {
        let tools = try RealToolFixture()
        for name in ["One", "Two"] {
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/Package.swift"),
                text: "// swift-tools-version: 6.0\nimport PackageDescription\n"
                    + "let package = Package(name: \"\(name)\", products: [.library(name: \"\(name)\", "
                    + "targets: [\"\(name)\"])], targets: [.target(name: \"\(name)\")])\n")
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/Sources/\(name)/a.swift"),
                text: "public let a = 1\n")
            try tools.commit(name, tag: "1.0.0")
        }
        let url = "file://\(tools.base.string)"
        try tools.tree.file(
            "app/Package.swift",
            text: "// swift-tools-version: 6.0\nimport PackageDescription\n"
                + "let package = Package(name: \"app\", dependencies: ["
                + ".package(url: \"\(url)/One\", from: \"1.0.0\"), "
                + ".package(url: \"\(url)/Two\", from: \"1.0.0\")], targets: [])\n")
        func resolve() throws {
            try tools.run("rm", "-rf", "app/.build")
            try tools.run("swift", "package", "resolve", in: "app")
            #expect(
                try tools.tree.names(in: "app/.build/checkouts").map(\.text).sorted() == [
                    "One", "Two",
                ])
        }
        try resolve()
        try tools.purge("swiftpm", afterwards: resolve)
    }

    @Test(.enabled(if: RealToolFixture.has("fc-cache"), "needs fontconfig"))
    func fontconfig() throws {
        let tools = try RealToolFixture()
        try tools.tree.directory("fonts/a")
        try tools.tree.directory("fonts/b")
        try tools.tree.file(
            "fonts.conf",
            text: "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
                + "<dir>\(tools.base.appending("fonts").string)</dir>"
                + "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>\n")
        func scan() throws {
            try tools.run(
                "fc-cache", with: ["FONTCONFIG_FILE": tools.base.appending("fonts.conf").string])
            #expect(try tools.tree.names(in: "home/.cache/fontconfig").count >= 3)
        }
        try scan()
        try tools.purge("fontconfig", afterwards: scan)
    }

    @Test(.enabled(if: RealToolFixture.has("npm"), "needs npm"))
    func npm() throws {
        let tools = try RealToolFixture()
        for name in ["one", "two", "three"] {
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/package.json"),
                text: "{\"name\":\"\(name)\",\"version\":\"1.0.0\",\"main\":\"i.js\"}\n")
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/i.js"), text: "module.exports = 14\n")
            try tools.run("npm", "pack", "--silent", "./\(name)")
        }
        try tools.tree.file("app/package.json", text: "{\"name\":\"app\",\"version\":\"1.0.0\"}\n")
        func install() throws {
            try tools.run("rm", "-rf", "app/node_modules")
            try tools.run(
                "npm", "install", "--offline", "--no-audit", "--no-fund", "../one-1.0.0.tgz",
                "../two-1.0.0.tgz", "../three-1.0.0.tgz", in: "app")
            let answer = try tools.run(
                "node", "-p", "require('one') + require('two') + require('three')", in: "app")
            #expect(answer == "42\n")
        }
        try install()
        try tools.purge("npm", afterwards: install)
        try tools.run("npm", "cache", "verify")
    }

    @Test(.enabled(if: RealToolFixture.has("apt-get", "dpkg-deb"), "needs apt"))
    func apt() throws {
        let tools = try RealToolFixture()
        var index = ""
        for name in ["one", "two", "three"] {
            let control =
                "Package: headroom-\(name)\nVersion: 1.0\nArchitecture: all\n"
                + "Maintainer: Nobody <nobody@example.com>\nDescription: \(name)\n"
            try tools.tree.file(TreePath(stringLiteral: "\(name)/DEBIAN/control"), text: control)
            try tools.tree.file(
                TreePath(stringLiteral: "\(name)/opt/\(name)"), size: .kilobytes(40))
            try tools.tree.directory("repository")
            try tools.run("dpkg-deb", "--root-owner-group", "-b", name, "repository/\(name).deb")
            let sum = try tools.run("sha256sum", "repository/\(name).deb").prefix(64)
            let size = try tools.run("stat", "-c", "%s", "repository/\(name).deb")
            index += control + "Filename: ./\(name).deb\nSize: \(size)SHA256: \(sum)\n\n"
        }
        try tools.tree.file("repository/Packages", text: index)
        for directory in [
            "state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d",
        ] {
            try tools.tree.directory(TreePath(stringLiteral: directory))
        }
        try tools.tree.file("state/status", text: "")
        let root = tools.base.string
        try tools.tree.file(
            "etc/sources.list", text: "deb [trusted=yes] copy:\(root)/repository ./\n")
        try tools.tree.file(
            "apt.conf",
            text: "Dir::State \"\(root)/state\"; Dir::State::status \"\(root)/state/status\";\n"
                + "Dir::Cache \"\(root)/cache\"; Dir::Etc \"\(root)/etc\"; APT::Sandbox::User \"root\";\n"
        )
        let variables = ["APT_CONFIG": "\(root)/apt.conf"]
        try tools.run("apt-get", "-qq", "update", with: variables)
        let names = ["one", "two", "three"]
        func download() throws {
            try tools.run(
                "apt-get", "-qq", "-y", "--download-only", "install", "headroom-one",
                "headroom-two",
                "headroom-three", with: variables)
            for name in names {
                #expect(
                    tools.tree.exists(
                        TreePath(stringLiteral: "cache/archives/headroom-\(name)_1.0_all.deb")))
            }
        }
        try download()
        // The entry as it is, but for where its root is.
        var entry = try #require(Catalogue.standard.entry("apt"))
        entry.places = [try #require(CataloguePlace("\(root)/cache/archives"))]
        entry.scope = .user
        try tools.purge("apt", catalogue: Catalogue([entry]), afterwards: download)
        #expect(tools.tree.exists("cache/archives/partial"))
        try tools.run("apt-get", "clean", with: variables)
        #expect(!tools.tree.exists("cache/archives/headroom-one_1.0_all.deb"))
    }
}

extension RealToolFixture {
    /// Makes a directory a git repository with one commit.
    func commit(_ directory: String, tag: String? = nil) throws {
        let author = [
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
        ]
        try run("git", "init", "-q", in: directory)
        try run("git", "add", "-A", in: directory)
        try run("git", "commit", "-q", "-m", "one", in: directory, with: author)
        if let tag { try run("git", "tag", tag, in: directory) }
    }
}
