//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

/// Chooses how the past of an amount is looked at, and reads the outlooks from the ways it may go on.
struct FillForecaster {
    /// In seconds before the last, rising to 0.
    let times: [Double]
    let values: [Double]
    let total: Double
    /// How long ago the last was, in seconds.
    let age: Double

    private static let day = 86_400.0
    // mutation: r28a-2
    /// It looks no further ahead than so many times the past, and no further than five years.
    private static let reach = 4.0
    private static let furthest = 5 * 365 * day
    /// Of the ways, so many are left out at each end. What is left would hold nine of ten if futures were
    /// made as the ways are; it is stated as four of five.
    private static let tail = 0.04
    /// It is expected if it happens in so many of the ways.
    private static let majority = 0.7

    func outlooks(_ thresholds: [Double]) -> [Forecast.Outlook] {
        guard let current = values.last else { return thresholds.map { _ in .unknown } }
        // The simulation passes them from the highest down.
        let order = thresholds.indices.filter { current >= thresholds[$0] }
            .sorted { thresholds[$0] > thresholds[$1] }
        var outlooks = thresholds.map { current < $0 ? Forecast.Outlook.reached : .unknown }
        guard let nearest = order.first, let simulation = simulation(to: thresholds[nearest])
        else { return outlooks }
        let crossings = simulation.crossings(order.map { thresholds[$0] })
        let horizon = Double(simulation.horizon) * simulation.course.step
        for (index, times) in zip(order, crossings) {
            outlooks[index] = outlook(times, horizon: horizon)
        }
        return outlooks
    }

    private func outlook(_ times: [Double], horizon: Double) -> Forecast.Outlook {
        func quantile(_ share: Double) -> Duration? {
            let time = times[Int(Double(times.count - 1) * share)]
            // A level that is not reached is never "in 0 minutes".
            // mutation: r28a-1
            return time < .infinity ? Duration(inSeconds: max(1, time - age)) : nil
        }
        let earliest = quantile(Self.tail)
        guard let earliest, let likely = quantile(0.5), quantile(Self.majority) != nil else {
            return .notExpected(
                within: Duration(inSeconds: max(0, horizon - age)), earliest: earliest)
        }
        return .expected(
            .init(earliest: earliest, likely: likely, latest: quantile(1 - Self.tail)))
    }

    /// - Returns: nil if there is too little of the past.
    private func simulation(to threshold: Double) -> FillSimulation? {
        // mutation: r28b-1
        guard let first = times.first, let current = values.last, times.count >= 8, first <= -600
        else { return nil }
        let (whole, day) = (-first, Self.day)
        let pilot = FillCourse(
            times: times, values: values, step: whole >= 8 * day ? day : whole / 16)
        let recent = pilot.stepsSinceChange
        let span = Double(recent) * pilot.step
        let rate = pilot.falls.suffix(recent).reduce(0, +) / span
        let guess = rate > 0 ? (current - threshold) / rate : .infinity

        // Weeks, days, or an eighth of what there is.
        let part = span >= 35 * day ? 7 * day : span >= 4 * day ? day : span / 8
        // The nearer it is, the closer it is looked at.
        let step =
            guess < 4 * day
            ? part / 24
            : guess < 60 * day ? min(part, day) / 4 : guess < 360 * day ? min(part, day) : part
        let length = max(1, Int((part / step).rounded()))
        let course = FillCourse(
            times: times, values: values, step: part / Double(length),
            limit: Int(span / part * Double(length)) + 2)
        guard course.falls.count >= length else { return nil }
        let horizon = min(Self.reach * whole, Self.furthest) / course.step
        return FillSimulation(
            course: course, length: length, horizon: min(1000, Int(horizon)), total: total)
    }
}
