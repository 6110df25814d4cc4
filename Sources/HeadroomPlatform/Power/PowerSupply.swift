//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Where the machine's power comes from.
public enum PowerSupply {
    /// Whether the machine runs on battery now; nil if it cannot be told.
    ///
    /// A machine without a battery does not. Looks at a few small files of `/sys` on Linux; elsewhere
    /// nobody is asked. Blocks for a moment.
    public static func isOnBattery() -> Bool? {
        #if os(Linux)
        isOnBattery(in: "/sys/class/power_supply")
        #else
        nil
        #endif
    }

    /// - Parameter directory: has a directory for each supply, with files `type`, `online`, `status`, `scope`.
    package static func isOnBattery(in directory: FilePath) -> Bool? {
        let names: [String]
        do throws(Errno) {
            names = try StateDirectory(opening: directory).names()
        } catch .noSuchFileOrDirectory {
            // A kernel without the class: a server, a virtual machine.
            return false
        } catch {
            return nil
        }
        var discharges = false
        for name in names {
            let supply = directory.appending(name)
            func value(_ file: String) -> String? {
                let bytes = try? SmallFile.read(supply.appending(file), limit: 64)
                return bytes.map { bytes in
                    String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
                }
            }
            switch value("type") {
            case "Battery":
                // That of a mouse is not the machine's.
                if value("scope") != "Device", value("status") == "Discharging" {
                    discharges = true
                }
            case nil: continue
            default: if value("online") == "1" { return false }
            }
        }
        return discharges
    }
}
