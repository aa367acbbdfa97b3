import Foundation
package import Link

/// The losses of a capture's frames, of one direction or of both.
package struct LossFit {
  /// Number of frames, and how many of them were lost.
  package var sent: Int
  package var lost: Int
  /// The share of lost frames.
  package var share: FitInterval
  package var bursts: BurstFit
  /// Where the chain's probabilities lie; nil for independent losses.
  package var intervals: BurstFit.Intervals?
  /// The losses as a profile has them.
  package var losses: [LinkProfile.Loss] = []

  private static let slot: Int64 = 30_000_000
  private static let blocks = 40

  /// - Parameter samples: Frames that were sent while the link was up, in the order of sending; at least one.
  init(_ samples: [Capture.Sample]) {
    sent = samples.count
    lost = samples.count { $0.result == .lost }
    let trials = Self.trials(samples)
    bursts = BurstFit(trials[...])
    share = FitInterval.share(lost, of: sent, clustering: bursts.isBursty ? Self.clustering(samples) : 1)
    guard lost > 0 else { return }
    guard bursts.isBursty else {
      losses = [.independent(Self.probability(Double(lost) / Double(sent)))]
      return
    }
    intervals = bursts.intervals(trials[...])
    losses = [
      .bursts(
        GilbertElliott(
          goodToBad: Self.probability(bursts.goodToBad), badToGood: Self.probability(bursts.badToGood),
          lossGood: Self.probability(bursts.lossGood), lossBad: Self.probability(bursts.lossBad)), isRetried: false)
    ]
  }

  /// The first frames, with the number of slots between them.
  static func trials(_ samples: [Capture.Sample], countMax: Int = BurstFit.countMax) -> [BurstFit.Trial] {
    var previous: Int64?
    return samples.prefix(countMax).map { sample in
      let slot = (sample.sent >= 0 ? sample.sent : sample.sent -| (Self.slot - 1)) / Self.slot
      defer { previous = slot }
      return BurstFit.Trial(slots: Double(slot -| (previous ?? slot)), isLost: sample.result == .lost)
    }
  }

  private static func probability(_ value: Double) -> Probability {
    Probability((value * 1e5).rounded() / 1e5) ?? .never
  }

  /// The variance of the losses in a stretch of the capture, in multiples of that of independent losses.
  private static func clustering(_ samples: [Capture.Sample]) -> Double {
    let length = samples.count / blocks
    guard length >= 10 else { return 4 }
    let counts = (0..<blocks).map { block in
      Double(samples[block * length..<(block + 1) * length].count { $0.result == .lost })
    }
    let mean = counts.reduce(0, +) / Double(blocks)
    let share = mean / Double(length)
    guard share > 0, share < 1 else { return 1 }
    let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(blocks - 1)
    return max(1, variance / (Double(length) * share * (1 - share)))
  }
}

/// Whether losses of the link itself explain rows of lost frames, so that no cut needs to.
struct LostRows {
  /// A row of losses is no chance if fewer than this many as long are expected in the capture.
  private static let expectedMin = 0.01
  /// Rounds and frames of the fit of a chain, each of which takes a while.
  private static let chainsMax = 6
  private static let trialsMax = 5_000

  /// The rows that are no chance.
  ///
  /// The losses outside all rows are fitted first. Rows that the fit explains are added to it, which makes it explain
  /// more, until nothing changes.
  ///
  /// Returns nil for each row that is chance, and the ends of a cut for the others.
  ///
  /// - Parameters:
  ///   - rows: From when to when, by the time of sending; ascending, without overlap.
  ///   - samples: In the order of sending.
  static func unexplained(_ rows: [Range<Int64>], among samples: [Capture.Sample]) -> [Ends?] {
    let members = rows.map { row in samples.filter { $0.result == .lost && row.contains($0.sent) } }
    var isCut = rows.map { _ in true }
    var chains = 0
    var chance = 0.0
    while isCut.contains(true) {
      let rest = outside(zip(rows, isCut).filter(\.1).map(\.0), samples)
      let lost = rest.count { $0.result == .lost }
      let share = (Double(lost) + 0.5) / (Double(rest.count) + 1)
      chance = share
      var explained = isCut.indices.filter { index in
        isCut[index]
          && Double(samples.count) * (1 - share) * pow(share, Double(members[index].count)) >= expectedMin
      }
      if explained.isEmpty, chains < chainsMax, lost > 0 {
        chains += 1
        let chain = BurstFit(LossFit.trials(rest, countMax: trialsMax)[...])
        if chain.isBursty {
          explained = isCut.indices.filter { index in
            isCut[index] && Double(samples.count) * chain.likelihood(of: LossFit.trials(members[index])) >= expectedMin
          }
        }
      }
      guard !explained.isEmpty else { break }
      for index in explained { isCut[index] = false }
    }
    return zip(members, isCut).map { row, isCut in
      guard isCut, let first = row.first, let last = row.last else { return nil }
      // Frames just before and after a cut are lost by chance, too: rarely more than these.
      let most = min(Int(Foundation.log(rare) / Foundation.log(min(chance, 0.99))) + 1, row.count - 1)
      let few = chance * Double(samples.count) < 1 ? 0 : most
      return Ends(
        begin: first.sent...max(first.sent, row[few].sent),
        end: min(last.sent, row[row.count - 1 - few].sent)...last.sent)
    }
  }

  /// The losses of a row among which a cut begins and ends.
  struct Ends {
    /// From the first loss to the last one that may come before the cut.
    var begin: ClosedRange<Int64>
    /// From the first loss that may come after the cut to the last.
    var end: ClosedRange<Int64>
  }

  /// More losses than expected beside a cut are met less often than this.
  private static let rare = 0.02

  private static func outside(_ rows: [Range<Int64>], _ samples: [Capture.Sample]) -> [Capture.Sample] {
    var next = 0
    return samples.filter { sample in
      guard sample.result != .outage else { return false }
      while next < rows.count, rows[next].upperBound <= sample.sent { next += 1 }
      return next == rows.count || !rows[next].contains(sample.sent)
    }
  }
}

extension BurstFit {
  /// How likely these fates are one after the other, from any frame of the capture.
  func likelihood(of trials: [Trial]) -> Double {
    exp(Self.logLikelihood(trials, [goodToBad, badToGood, lossGood, lossBad]))
  }
}
