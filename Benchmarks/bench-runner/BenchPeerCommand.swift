import Simulator
import Console
import CSystem
import Foundation
import Link
import Commands
import LinkTransport

/// `bench-peer`: the other end of a bare loop, in a separate process; called by `bench`, scripts/pgo and scripts/allocations.
enum BenchPeerCommand: Command {
  static let name = "bench-peer"
  static let about = "the other end of a bare loop of the benchmark"
  static let usage = "PART [NUMBER]..."
  static let options: [Option] = []
  static let isHidden = true
  static let details = """
    PART of a bare loop, on descriptors 3 and 4: answer; answer-kept FOLDER; produce MESSAGES BYTES; forward.
    PART of a run, as a node: source BATCHES BATCH BYTES; sink; ping COUNT BYTES; echo.
    PART of a run with stores: send-events COUNT IN-FLIGHT; send-backlog COUNT; send-file BYTES; receive.
    PART of a bare chain, on descriptors 3 and 4: queue-sender EVENTS IN-FLIGHT FOLDER; queue-receiver FOLDER;
    copy-sender FILE; copy-receiver BYTES FILE.
    peaks events COUNT, peaks file BYTES: runs that and writes the peak memory of its processes to descriptor 3.
    hour SECONDS MODE runs that long and writes its peak memory to descriptor 3.
    seeds COUNT runs that many seeds of a sweep and writes its peak memory to descriptor 3.
    ingest RECORDS PER-ROW ingests records, ingest-raw does the same in SQL; both write seconds and peak memory to 3.
    migrate FOLDER POINTS migrates a store, migrate-raw copies its tables in SQL; both write the same to 3.
    judged COUNT runs that many seeds of ten minutes in this process and prints that: for a profiler.
    bare SECONDS runs that long in this process, records nothing and prints its steps: for scripts/allocations.
    judged-hour SECONDS and written-hour SECONDS do the same with a judge, and with a trace that goes nowhere: for a profiler.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    _ = cs_die_with_parent(SIGKILL, 0)
    let numbers = arguments.operands.dropFirst().compactMap { Int($0) }
    guard numbers.allSatisfy({ 0...1_000_000_000 ~= $0 }) else { throw .input("bench-peer: a number out of bounds") }
    switch (arguments.operands.first, numbers.count) {
    case ("source", 3):
      return try runNode(.source(batches: numbers[0], batch: numbers[1]), payloadBytes: numbers[2], as: .watch)
    case ("ping", 2): return try runNode(.ping(numbers[0]), payloadBytes: numbers[1], as: .watch)
    case ("sink", 0): return try runNode(.sink, as: .phone)
    case ("echo", 0): return try runNode(.echo, as: .phone)
    case ("hour", 1):
      guard let mode = RunOptions.Mode(rawValue: arguments.operands.last ?? "") else {
        throw .input("bench-peer: no such mode")
      }
      try runHour(seconds: numbers[0], mode)
      return 0
    case ("seeds", 1):
      try SweepMeasurement.runSeeds(numbers[0], seconds: 20)
      Terminal.write("\(try ProcessMemory.peak())", to: 3)
      return 0
    case ("ingest", 2):
      try IngestMeasurement.runMachine(records: numbers[0], perRow: numbers[1])
      return 0
    case ("ingest-raw", 2):
      try IngestMeasurement.runRaw(records: numbers[0], perRow: numbers[1])
      return 0
    case ("migrate", 1) where arguments.operands.count == 3:
      try MigrateMeasurement.runMachine(arguments.operands[1], points: numbers[0])
      return 0
    case ("migrate-raw", 1) where arguments.operands.count == 3:
      try MigrateMeasurement.runRaw(arguments.operands[1])
      return 0
    case ("judged", 1):
      try SweepMeasurement.runSeeds(numbers[0], seconds: 600)
      Terminal.print("\(numbers[0]) seeds")
      return 0
    case ("bare", 1), ("judged-hour", 1), ("written-hour", 1):
      var options = RunOptions()
      switch arguments.operands[0] {
      case "bare": options.level = .nothing
      case "judged-hour": options.level = .judged
      default: options.level = .written
      }
      options.isDigested = false
      if options.level == .written { options.output = { _ in } }
      let outcome = try ScenarioRun.run(BenchScenario.hour(seconds: Int64(numbers[0])), options)
      Terminal.print("\(outcome.steps) steps")
      return 0
    default: break
    }
    if let part = arguments.operands.first, let status = try transfer(part, numbers, arguments.operands) {
      return status
    }
    do throws(SystemCallError) {
      switch (arguments.operands.first, numbers.count) {
      case ("answer", 0): try BareLoops.answer(keepingRowsIn: nil)
      case ("answer-kept", 0) where arguments.operands.count == 2:
        try BareLoops.answer(keepingRowsIn: arguments.operands[1])
      case ("produce", 2) where numbers.allSatisfy { $0 > 0 }:
        try produce(BareEnd(SocketDescriptor(adopting: 3)), messages: numbers[0], bytes: numbers[1])
      case ("forward", 0): try forward()
      default: throw .init("bench-peer", EINVAL, on: arguments.operands.joined(separator: " "))
      }
    } catch {
      // Peers end when the benchmark has gone.
      if error.code != EPIPE, error.code != ECONNRESET { throw .environment("\(error)") }
    }
    return 0
  }

  /// Joins a run as one of the benchmark's own nodes.
  private static func runNode(_ part: BenchNode.Part, payloadBytes: Int = 0, as role: NodeRole) throws(Failure) -> Int32
  {
    do throws(NodeClientError) {
      let client = try NodeClient(try NodeEnvironment(role: role), name: "sim-runner \(Version.text) bench")
      _ = try client.join()
      var keeper: NodeKeeper<BenchNode, PlainStore<MemorySessionStore>, NoFiles>
      do throws(StoreError) {
        keeper = try NodeKeeper(store: PlainStore(MemorySessionStore()), files: NoFiles()) { _, _ in
          BenchNode(part, payloadBytes: payloadBytes)
        }
      } catch {
        throw NodeClientError.host("\(error)")
      }
      _ = try client.run(&keeper, isRecording: false) { _, _ in }
      return 0
    } catch {
      throw .environment("bench-peer: \(error)")
    }
  }

  /// Echoes one byte, waits for another, and sends messages as fast as possible.
  private static func produce(_ end: BareEnd, messages: Int, bytes: Int) throws(SystemCallError) {
    guard try end.receive(atLeast: 1) > 0 else { return }
    try end.send([1])
    guard try end.receive(atLeast: 1) > 0 else { return }
    let message = [UInt8](repeating: 7, count: bytes)
    for _ in 0..<messages { try end.send(message) }
    _ = try end.receive(atLeast: 1)
  }

  /// Forwards what it reads, one write for each read.
  private static func forward() throws(SystemCallError) {
    let ends = [BareEnd(SocketDescriptor(adopting: 3)), BareEnd(SocketDescriptor(adopting: 4))]
    var entries = [Int32(3), 4].map { cs_poll_entry(descriptor: $0, wanted: Int16(CS_POLL_READ), ready: 0) }
    while true {
      let status = cs_poll(&entries, 2, -1)
      guard status >= 0 else { throw SystemCallError("poll", -status) }
      for side in 0..<2 where entries[side].ready != 0 {
        guard let bytes = try ends[side].receiveSome() else { return }
        try ends[1 - side].send(bytes)
      }
    }
  }

  /// Simulates an hour, and writes its peak memory and its largest child's to descriptor 3, in KiB.
  static func runHour(seconds: Int, _ mode: RunOptions.Mode) throws(Failure) {
    var options = RunOptions()
    options.mode = mode
    let show = RunShow.unread(BenchScenario.hour(seconds: Int64(seconds)), options)
    let outcome = try show.run()
    if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    let own = try ProcessMemory.peak()
    Terminal.write("\(own) \(usage.ru_maxrss)", to: 3)
  }

  /// Plays a part in the measurements of queues and files; nil if the part is another's.
  ///
  /// - Parameters:
  ///   - numbers: The numeric operands after the part.
  ///   - operands: All operands, the part first.
  static func transfer(_ part: String, _ numbers: [Int], _ operands: [String]) throws(Failure) -> Int32? {
    switch (part, operands.count, numbers.count) {
    case ("send-events", 3, 2):
      return try TransferPeer.run(.events(numbers[0], inFlight: numbers[1]), as: .watch)
    case ("send-backlog", 2, 1): return try TransferPeer.run(.backlog(numbers[0]), as: .watch)
    case ("send-file", 2, 1):
      return try TransferPeer.run(.file(TransferPeer.offer(byteCount: numbers[0])), as: .watch)
    case ("receive", 1, 0): return try TransferPeer.run(.sink, as: .phone)
    case ("queue-sender", 4, 2): try QueueLoop.send(numbers[0], inFlight: numbers[1], in: operands[3])
    case ("queue-receiver", 2, 0): try QueueLoop.receive(in: operands[1])
    case ("copy-sender", 2, 0): try CopyLoop.send(operands[1])
    case ("copy-receiver", 3, 1): try CopyLoop.receive(numbers[0], to: operands[2])
    case ("peaks", 3, 1):
      try TransferPeer.reportPeaks(operands[1] == "file" ? .file(numbers[0]) : .backlog(numbers[0]))
    default: return nil
    }
    return 0
  }
}
