import Simulator
import Console
import Foundation
import Link
import LinkStore
import LinkTransport

/// The node processes of ``TransferRun``.
enum TransferPeer {
  /// Plays one side to the end of the run, and writes the number of settled transfers and its peak memory to its
  /// folder.
  static func run(_ part: TransferNode.Part, as role: NodeRole) throws(Failure) -> Int32 {
    let client: NodeClient
    let folder: String
    do throws(NodeClientError) {
      let environment = try NodeEnvironment(role: role)
      folder = environment.state ?? "."
      client = try NodeClient(environment, name: "sim-runner \(Version.text) bench")
      _ = try client.join()
    } catch {
      throw .environment("bench-peer: \(error)")
    }
    var keeper: NodeKeeper<TransferNode, DeviceStore<KeyedTables>, DiskFiles>
    do throws(StoreError) {
      keeper = try makeKeeper(part, as: role, in: folder)
    } catch {
      client.fail("its store failed: \(error)")
      throw .environment("bench-peer: \(error)")
    }
    do throws(NodeClientError) {
      _ = try client.run(&keeper, isRecording: false) { _, _ in }
    } catch {
      throw .environment("bench-peer: \(error)")
    }
    let report = "\(keeper.node.settled) \(try ProcessMemory.peak())"
    do { try report.write(toFile: "\(folder)/\(TransferRun.reportName)", atomically: true, encoding: .utf8) } catch {
      throw .environment("bench-peer: \(error)")
    }
    return 0
  }

  private static func makeKeeper(
    _ part: TransferNode.Part, as role: NodeRole, in folder: String
  ) throws(StoreError) -> NodeKeeper<TransferNode, DeviceStore<KeyedTables>, DiskFiles> {
    let store = try DeviceStore<KeyedTables>(folder: folder)
    var files = try DiskFiles(folder: folder)
    let keeper = try NodeKeeper(store: store, files: files) { session, _ in
      TransferNode(part, as: role, record: session)
    }
    if case .file(let offer) = part {
      // Created before the node answers the welcome, from which time is measured; a start removes what no transfer needs.
      try files.carryOut(.create(TransferNode.firstFile, content(byteCount: Int(offer.byteCount))))
    }
    return keeper
  }

  /// The content of a file of this size.
  static func content(byteCount: Int) -> FileContent { .generated(key: 7, byteCount: UInt64(byteCount)) }

  /// Its offer.
  static func offer(byteCount: Int) -> FileOffer {
    let content = content(byteCount: byteCount)
    return FileOffer(name: TransferNode.fileName, byteCount: content.byteCount, digest: content.digest)
  }

  /// Runs a load in this process, and writes the peak memory of conductor and nodes to descriptor 3, in KiB.
  static func reportPeaks(_ load: TransferRun.Load) throws(Failure) {
    let figures = try TransferRun.run(load, sharesProcessor: true)
    Terminal.write("\(try ProcessMemory.peak()) \(figures.watchPeak) \(figures.phonePeak)", to: 3)
  }
}
