package import Link

/// What is between the devices: frames on their way, queues on both sides, files, cuts and faults.
package struct LinkPicture {
  /// A frame of the last seconds.
  package struct Flight {
    /// The line that sent it: what it carries follows from the trace.
    package let event: TraceEvent
    package let id: Int64
    /// Whether it passes between phone and edge.
    package let isOnUplink: Bool
    package let sentAt: VirtualTime
    /// When it arrived or was lost; nil while it is on its way.
    package var endedAt: VirtualTime?
    /// Why it was lost; nil while it is not.
    package var lost: String?
  }

  /// A transfer that its sender still owes.
  package struct Owed {
    package let transfer: Identifier
    package let name: String
    package let channel: Channel
    /// The length; nil if the line does not say.
    package let bytes: Int64?
    /// How much of a file has arrived.
    package var received: Int64 = 0
  }

  package private(set) var isUp = true
  /// Nil for a run without an uplink.
  package var isUplinkUp: Bool?
  package private(set) var sent = 0
  package private(set) var delivered = 0
  package private(set) var lost = 0
  /// Frames on their way and the latest others, in the order of sending.
  package private(set) var flights: [Flight] = []
  /// Transfers in the order of queueing: the watch's, the phone's.
  package private(set) var queues: [[Owed]] = [[], []]
  /// The faults that are on, in the order of their beginning.
  package private(set) var faults: [(id: String, kind: String, isOnUplink: Bool, params: String, since: VirtualTime)] =
    []

  private static let flightsMax = 40
  private static let queueMax = 2_000

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .frameSent(let frame): send(frame, event)
    case .frameDelivered(let frame):
      delivered += 1
      if frame.copy == 0 { end(frame.id, at: event.time, lost: nil) }
    case .frameDropped(let frame):
      lost += 1
      if frame.copy == 0 { end(frame.id, at: event.time, lost: frame.cause.text) }
    case .linkDown: setUp(false, event.place)
    case .linkUp: setUp(true, event.place)
    case .faultBegin(let fault):
      faults.append((fault.fault, fault.kind, event.place == .uplink, fault.params.text, event.time))
    case .faultEnd(let fault): faults.removeAll { $0.id == fault.fault }
    case .transferQueued(let transfer): queue(transfer, event.place)
    case .transferProgress(let progress): receive(progress)
    case .transferFinished(let transfer): settle(transfer.identity.transfer, event.place)
    case .transferFailed(let transfer): settle(transfer.identity.transfer, event.place)
    case .transferCancelled(let transfer): settle(transfer.identity.transfer, event.place)
    default: break
    }
  }

  private mutating func send(_ frame: FrameSent, _ event: TraceEvent) {
    sent += 1
    let isOnUplink = frame.channel == .http || frame.to == .edge || event.place == .edge
    flights.append(Flight(event: event, id: frame.id, isOnUplink: isOnUplink, sentAt: event.time))
    guard flights.count > Self.flightsMax else { return }
    // The oldest that is over, else the oldest of all.
    flights.remove(at: flights.firstIndex { $0.endedAt != nil } ?? 0)
  }

  private mutating func end(_ id: Int64, at time: VirtualTime, lost: String?) {
    guard let index = flights.lastIndex(where: { $0.id == id }) else { return }
    (flights[index].endedAt, flights[index].lost) = (time, lost)
  }

  private mutating func setUp(_ isUp: Bool, _ place: TraceEvent.Place) {
    if place == .uplink { isUplinkUp = isUp } else { self.isUp = isUp }
  }

  private mutating func queue(_ transfer: TransferQueued, _ place: TraceEvent.Place) {
    guard let side = place.deviceIndex, queues[side].count < Self.queueMax else { return }
    let kind = transfer.details.kind ?? transfer.name ?? (transfer.identity.channel == .file ? "file" : "user info")
    queues[side].append(
      Owed(
        transfer: transfer.identity.transfer, name: kind, channel: transfer.identity.channel, bytes: transfer.bytes))
  }

  private mutating func receive(_ progress: TransferProgressed) {
    for side in queues.indices {
      guard let index = queues[side].firstIndex(where: { $0.transfer == progress.transfer }) else { continue }
      queues[side][index].received = progress.received
    }
  }

  private mutating func settle(_ transfer: Identifier, _ place: TraceEvent.Place) {
    guard let side = place.deviceIndex else { return }
    queues[side].removeAll { $0.transfer == transfer }
  }
}
