//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the example app uses of SwiftUI, declared in our own words from its documentation, and no more: the
// types of views are simpler than Apple's, so what is checked is that the app's calls of the library and the
// names and labels of SwiftUI are right, and not what SwiftUI makes of them.

@_exported public import Foundation
@_exported public import Observation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { preconditionFailure("a stub") }
}

/// What all views of the stub are made of.
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView {
    public var body: Never { preconditionFailure("a stub") }
}

public struct AnyContent: PrimitiveView {}
public struct EmptyView: PrimitiveView {
    public init() {}
}
public struct TupleView<each Content: View>: PrimitiveView {}
public struct EitherView<First: View, Second: View>: PrimitiveView {}
extension Optional: View where Wrapped: View {
    public var body: Never { preconditionFailure("a stub") }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> { TupleView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> EitherView<First, Second> { EitherView() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> EitherView<First, Second> { EitherView() }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}
extension App {
    public static func main() {}
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

// MARK: - State

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) { preconditionFailure("a stub") }
    public init(initialValue: Value) { preconditionFailure("a stub") }
    public var wrappedValue: Value {
        get { preconditionFailure("a stub") }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { preconditionFailure("a stub") }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public var wrappedValue: Value {
        get { preconditionFailure("a stub") }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public static func constant(_ value: Value) -> Binding<Value> { preconditionFailure("a stub") }
    public subscript<Subject>(
        dynamicMember path: WritableKeyPath<Value, Subject>
    ) -> Binding<Subject> { preconditionFailure("a stub") }
}

public struct EnvironmentValues {
    public var editMode: Binding<EditMode>?
}

public enum EditMode: Sendable { case inactive, active }

// MARK: - Views

public struct Text: PrimitiveView {
    public init<S: StringProtocol>(_ content: S) {}
    public func font(_ font: Font?) -> Text { self }
}

public struct Font: Sendable {
    public static let footnote = Font()
    public static let headline = Font()
}

public struct Label<Title: View, Icon: View>: PrimitiveView {}
extension Label where Title == Text, Icon == AnyContent {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

public struct Spacer: PrimitiveView {
    public init() {}
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum Visibility: Sendable { case automatic, visible, hidden }
public enum VerticalEdge: Sendable { case top, bottom }

public struct VStack<Content: View>: PrimitiveView {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct HStack<Content: View>: PrimitiveView {
    public init(spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}

public struct TabView<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct NavigationStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder root: () -> Content) {}
}

public struct List<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
    public init<Value: Hashable>(
        selection: Binding<Set<Value>>?, @ViewBuilder content: () -> Content
    ) {}
}

public struct Section<Parent: View, Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {}
}
extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct ButtonRole: Sendable {
    public static let destructive = ButtonRole()
}

public struct Button<Content: View>: PrimitiveView {}
extension Button where Content == Text {
    public init<S: StringProtocol>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {}
}

public struct ProgressView: PrimitiveView {
    public init(value: Double?, total: Double = 1) {}
}

public struct TextField: PrimitiveView {
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
public struct ContentUnavailableView: PrimitiveView {
    public init<S: StringProtocol>(_ title: S, systemImage: String, description: Text? = nil) {}
}

// MARK: - What is done to views

extension View {
    public func task(
        _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { AnyContent() }
    public func font(_ font: Font?) -> some View { AnyContent() }
    public func padding() -> some View { AnyContent() }
    public func disabled(_ isDisabled: Bool) -> some View { AnyContent() }
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { AnyContent() }
    public func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> some View {
        AnyContent()
    }
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        AnyContent()
    }
    public func safeAreaInset<Content: View>(
        edge: VerticalEdge, @ViewBuilder content: () -> Content
    ) -> some View { AnyContent() }
    public func environment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View { AnyContent() }
    public func confirmationDialog<S: StringProtocol, Actions: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> Actions
    ) -> some View { AnyContent() }
}
