import Foundation
import SwiftData

@Model
final class StoredLap {
  @Attribute(.unique) var number: Int
  var name: String

  init(number: Int, name: String) { (self.number, self.name) = (number, name) }
}

/// Keeps the laps.
@ModelActor
actor LapArchive {
  func keep(_ lap: Lap, after seconds: TimeInterval) throws {
    let formatter = DateComponentsFormatter()
    formatter.unitsStyle = .abbreviated
    modelContext.insert(StoredLap(number: lap.number, name: formatter.string(from: seconds) ?? ""))
    try modelContext.save()
  }

  var count: Int { get throws { try modelContext.fetchCount(FetchDescriptor<StoredLap>()) } }
}
