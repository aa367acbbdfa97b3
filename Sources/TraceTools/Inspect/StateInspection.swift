package import CoachProtocol
package import Console
import Foundation
package import Link
import LinkStore
import LinkTransport
package import PhoneSim
import WatchSim

/// Reads the stores in a state folder.
package enum StateInspection {
  /// Limit of listed entries of a queue.
  static let listedMax = 1_000

  /// The state of each device found, the watch's first.
  ///
  /// - Throws: If there is no store at all, or one cannot be read.
  package static func devices(in folder: String) throws(Failure) -> [InspectedDevice] {
    var found: [InspectedDevice] = []
    for role in [NodeRole.watch, .phone] {
      let own = "\(folder)/\(role.text)"
      let isOne = folder.hasSuffix("/\(role.text)") && hasStore(folder)
      guard isOne || hasStore(own) else { continue }
      do throws(StoreError) {
        found.append(try device(role, isOne ? folder : own))
      } catch {
        throw error.cause == .busy ? .environment(error.text) : .input(error.text)
      }
    }
    let edge = InspectedDevice.isEdge(folder) ? folder : "\(folder)/edge"
    if InspectedDevice.isEdge(edge) {
      do throws(StoreError) { found.append(try InspectedDevice(edgeIn: edge)) } catch { throw .input(error.text) }
    }
    guard !found.isEmpty else {
      throw .input(
        "\(folder): found no store, expected watch/\(StoreFile.name) or phone/\(StoreFile.name) as `run --state-dir` keeps"
      )
    }
    return found
  }

  /// Reads one device's store; one whose creation or update was interrupted is read from an updated copy, as the next
  /// start would find it.
  private static func device(_ role: NodeRole, _ folder: String) throws(StoreError) -> InspectedDevice {
    do throws(StoreError) {
      return try role == .watch ? watch(folder) : phone(folder)
    } catch {
      guard error.cause == .older else { throw error }
      let copy = try updatedCopy(of: folder, role)
      return try role == .watch ? watch(copy.path) : phone(copy.path)
    }
  }

  /// The state of a phone's app, read as by ``device(_:_:)``.
  static func phoneRecord(_ folder: String) throws(StoreError) -> PhoneRecord {
    do throws(StoreError) {
      var reader = try DeviceReader<PhoneTables>(folder: folder)
      return try reader.record().1
    } catch {
      guard error.cause == .older else { throw error }
      let copy = try updatedCopy(of: folder, .phone)
      var reader = try DeviceReader<PhoneTables>(folder: copy.path)
      return try reader.record().1
    }
  }

  /// Copies a store, and updates the copy.
  static func updatedCopy(of folder: String, _ role: NodeRole) throws(StoreError) -> TemporaryDirectory {
    do {
      let copy = try TemporaryDirectory()
      for name in [StoreFile.name, StoreFile.name + "-wal"]
      where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
        try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy.path)/\(name)")
      }
      let components =
        role == .watch ? DeviceStore<KeyedTables>.components : DeviceStore<PhoneTables>.components
      _ = try StoreFile.open(folder: copy.path, components)
      return copy
    } catch {
      throw error as? StoreError
        ?? StoreError(.system, "\(folder)/\(StoreFile.name): cannot be copied: \(error.systemText)")
    }
  }

  static func hasStore(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(StoreFile.name)")
  }

  private static func watch(_ folder: String) throws(StoreError) -> InspectedDevice {
    var reader = try DeviceReader<KeyedTables>(folder: folder)
    let (session, keyed) = try reader.record()
    var device = try InspectedDevice(.watch, session, reader)
    device.add(try WatchRecord(keyed: keyed))
    let notes = keyed.values.keys.filter { key in appNotes.contains { key.hasPrefix($0) } }
    if !notes.isEmpty { device.addApp(noteCount: notes.count) }
    return device
  }

  /// Prefixes of notes stored by the session of a user's app, but not by the simulated watch.
  private static let appNotes = ["handing.", "result.", "origin."]

  /// The session of a user's app has only the session's tables and notes; the simulated phone has more.
  private static func phone(_ folder: String) throws(StoreError) -> InspectedDevice {
    if var reader = try? DeviceReader<KeyedTables>(folder: folder) {
      let (session, keyed) = try reader.record()
      var device = try InspectedDevice(.phone, session, reader)
      device.addApp(noteCount: keyed.values.count)
      return device
    }
    var reader = try DeviceReader<PhoneTables>(folder: folder)
    let (session, record) = try reader.record()
    var device = try InspectedDevice(.phone, session, reader)
    device.add(record)
    return device
  }
}

/// The stored state of one device: sections of rows.
package struct InspectedDevice {
  /// A list of rows of one kind.
  struct Section {
    var name: String
    var rows: [[JSONMember]]
    /// The total if not all are listed; nil if all are.
    var total: Int?
  }

  var role: NodeRole
  var starts: Int64
  /// What is wrong with the store; empty for nothing.
  package var findings: [String]
  var sections: [Section] = []

  /// Begins with the session's state.
  init<App: AppTables>(
    _ role: NodeRole, _ session: SessionRecord, _ reader: DeviceReader<App>
  ) throws(StoreError) {
    self.role = role
    starts = Int64(session.epoch.rawValue)
    findings = try reader.findings()
    for lane in Lane.allCases {
      var owed: [QueueEntry] = session[lane].outbox
      while let last = owed.last, owed.count < min(session[lane].outboxCount, StateInspection.listedMax),
        case .outbox(_, let page) = try reader.page(PageOrder(.outbox, lane, after: last.seq)), !page.isEmpty
      { owed += page }
      let name = Self.text(lane)
      add("outbox.\(name)", owed.prefix(StateInspection.listedMax), of: session[lane].outboxCount) {
        Self.row($0.transfer, $0.seq, $0.flags, lane, $0.payload)
      }
      add("inbox.\(name)", session[lane].inbox) { Self.row($0.transfer, $0.seq, $0.flags, lane, $0.payload) }
    }
    var contexts: [[JSONMember]] = []
    if let sent = session.contextSent {
      contexts.append(
        .init([
          "direction": .string("sent"), "seq": .count(sent.seq.rawValue), "bytes": .count(sent.payload.count),
          "acknowledged": .bool(session.contextIsAcknowledged),
        ]))
    }
    if let received = session.contextReceived {
      contexts.append(
        .init([
          "direction": .string("received"), "seq": .count(received.seq.rawValue),
          "bytes": .count(received.payload.count),
        ]))
    }
    add("contexts", rows: contexts)
    add("transfers", [session.partial].compactMap(\.self), Self.row)
    guard session.budget.used > 0 else { return }
    addRow(
      "complicationBudget",
      [
        "day": .integer(session.budget.day), "used": .count(session.budget.used),
        "of": .count(ComplicationBudget.perDay),
      ])
  }

  /// Reports that the device has a user's app, whose own files are not in the store.
  mutating func addApp(noteCount: Int) {
    addRow("app", ["module": .string("WatchConnectivity"), "notes": .count(noteCount)])
  }

  // MARK: Sections

  /// Adds a section; one that does not list all rows has their total.
  mutating func add(_ name: String, rows: [[JSONMember]], of total: Int = 0) {
    sections.append(Section(name: name, rows: rows, total: total > rows.count ? total : nil))
  }

  /// Adds a section with a row for each element.
  mutating func add<Element>(
    _ name: String, _ elements: some Sequence<Element>, of total: Int = 0, _ fields: (Element) -> JSONFields
  ) {
    add(name, rows: elements.map { .init(fields($0)) }, of: total)
  }

  /// Adds a section of one row.
  mutating func addRow(_ name: String, _ fields: JSONFields) { add(name, rows: [.init(fields)]) }

  /// An instant in seconds; null for none.
  static func seconds(_ time: VirtualTime?) -> JSONValue { time.map { .seconds($0 - .start) } ?? .null }

  private static func text(_ lane: Lane) -> String {
    switch lane {
    case .userInfo: "userInfo"
    case .complication: "complication"
    case .file: "file"
    }
  }
}

/// What training sessions share.
extension StateInspection {
  /// The artifacts of the phone's sessions, oldest first.
  ///
  /// - Parameters:
  ///   - folder: The state folder, or the phone's in it.
  ///   - wanted: A session's identifier, or `all`.
  /// - Throws: If there is no such session, or the store cannot be read.
  package static func artifacts(in folder: String, _ wanted: String) throws(Failure) -> [TrainingArtifact] {
    let record = try trainingRecord(in: folder)
    if wanted == "all" { return TrainingArtifact.all(in: record) }
    guard let id = Identifier(text: wanted) else {
      throw .input("--artifact: found \"\(wanted)\", expected the identifier of a session, or all")
    }
    guard let artifact = TrainingArtifact(of: id, in: record) else {
      throw .input("--artifact: found no session \(id.text), expected one of the section sessions of `inspect`")
    }
    return [artifact]
  }

  private static func trainingRecord(in folder: String) throws(Failure) -> TrainingRecord {
    let own = hasStore("\(folder)/phone") ? "\(folder)/phone" : folder
    guard hasStore(own) else {
      throw .input("\(folder): found no store of a phone, expected phone/\(StoreFile.name) as `run --state-dir` keeps")
    }
    do throws(StoreError) {
      return try phoneRecord(own).training
    } catch {
      throw error.cause == .busy ? .environment(error.text) : .input(error.text)
    }
  }
}

/// The training history of a period.
extension StateInspection {
  /// Sessions of a period, newest first, their totals, and the athlete's averages since its start.
  ///
  /// The database filters and sorts, as ``SessionQueryService`` says.
  ///
  /// - Parameters:
  ///   - folder: The state folder, or the phone's in it.
  ///   - days: The first and the last day in UTC, both included.
  ///   - discipline: Nil for all.
  /// - Throws: If the store cannot be read.
  package static func sessions(
    in folder: String, days: ClosedRange<LocalDay>, _ discipline: TrainingDiscipline?
  ) throws(Failure) -> SessionReport {
    let own = hasStore("\(folder)/phone") ? "\(folder)/phone" : folder
    guard hasStore(own) else {
      throw .input("\(folder): found no store of a phone, expected phone/\(StoreFile.name) as `run --state-dir` keeps")
    }
    let (begin, end) = (days.lowerBound.begin(offset: 0), LocalDay(days.upperBound.number + 1).begin(offset: 0))
    let period = begin...max(begin, end - 1)
    do throws(StoreError) {
      let copy = try updatedCopy(of: own, .phone)
      let service = SessionQueryService(try StoreFile.open(folder: copy.path, DeviceStore<PhoneTables>.components))
      return SessionReport(
        sessions: try service.sessions(SessionQuery(period: period, discipline: discipline, countMax: listedMax)),
        statistics: try service.statistics(period, discipline),
        averages: try service.skillAverages(since: period.lowerBound))
    } catch {
      throw error.cause == .busy ? .environment(error.text) : .input(error.text)
    }
  }

  /// What ``sessions(in:days:_:)`` finds.
  package struct SessionReport {
    var sessions: [TrainingSession]
    var statistics: SessionStatistics
    var averages: [SkillAverage]

    /// One object.
    package var members: [JSONMember] {
      let disciplines = TrainingDiscipline.allCases.compactMap { discipline in
        statistics.counts[discipline].map { JSONMember(discipline.rawValue, .count($0)) }
      }
      let totals: JSONFields = [
        "count": .count(statistics.count), "totalDistance": .plain(statistics.totalDistance),
        "totalDuration": .plain(statistics.totalDuration), "disciplines": .object(disciplines),
      ]
      return .init([
        "sessions": .objects(sessions) { session in
          [
            "id": .string(session.id.text), "discipline": .string(session.discipline.rawValue),
            "startDate": .string(LocalDay.dateText(session.startDate)), "name": .string(session.name),
            "totalDistance": .plain(session.totalDistance), "totalDuration": .plain(session.totalDuration),
          ]
        },
        "statistics": .fields(totals),
        "skills": .objects(averages) { average in
          [
            "domain": .string(average.domain), "average": .plain((average.score * 100).rounded() / 100),
            "rolling": .plain((average.rolling * 100).rounded() / 100),
            "snapshots": .count(average.count),
          ]
        },
      ])
    }

    /// One line a session, one for the totals, and one a skill.
    package var lines: [String] {
      sessions.map { session in
        "\(LocalDay.dateText(session.startDate))  \(session.discipline.rawValue)  \(Self.text(session.totalDistance)) m"
          + "  \(Self.text(session.totalDuration)) s"
      } + [
        "\(statistics.count) sessions, \(Self.text(statistics.totalDistance)) m, \(Self.text(statistics.totalDuration)) s"
      ]
        + averages.map { average in
          "\(average.domain) \(Self.text(average.score)) of \(average.count) snapshots, "
            + "\(Self.text(average.rolling)) of the newest \(min(average.count, SkillAverage.rollingCount))"
        }
    }

    private static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }
  }
}
