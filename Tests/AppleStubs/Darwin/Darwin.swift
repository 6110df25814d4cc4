//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the Swift side of Apple's Darwin module adds to its headers, as far as Headroom calls it: the C
// declarations are variadic or macros.

@_exported import Darwin

public var errno: Int32 {
    get { unsafe __error().pointee }
    set { unsafe __error().pointee = newValue }
}

public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { stub() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { stub() }
public func fcntl(
    _ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer
) -> Int32 { stub() }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { stub() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { stub() }
public func openat(
    _ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32
) -> Int32 { stub() }
public func openat(
    _ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 { stub() }

public var MAP_FAILED: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

/// Nothing of a stub is ever run.
private func stub<T>() -> T { preconditionFailure("a stub") }
