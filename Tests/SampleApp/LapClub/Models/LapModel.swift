import Combine
import Foundation
import SwiftData

/// What the list shows.
final class LapModel: ObservableObject {
  @Published private(set) var laps: [Lap] = []
  @Published var order = LapOrder.newest
  @Published private(set) var kept = 0
  @Published private(set) var latest: Date?
  @Published private(set) var round = UUID()
  private let archive = (try? ModelContainer(for: StoredLap.self)).map { LapArchive(modelContainer: $0) }

  init(link: PhoneLink) {
    link.onLap = { [weak self] lap in
      self?.laps.append(lap)
      self?.latest = Date()
      self?.round = UUID()
      Task { @MainActor in await self?.keep(lap) }
    }
  }

  @MainActor private func keep(_ lap: Lap) async {
    try? await archive?.keep(lap, after: Double(lap.number) * 61)
    kept = (try? await archive?.count) ?? 0
  }

  func clearLaps() {
    laps = []
    let shelf = Shelf<Lap>()
    shelf.empty()
  }
}
