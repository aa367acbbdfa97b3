/// The edge's end of the uplink: executes each request once, and repeats its answer for duplicates.
///
/// A successful request is not executed again. A request that failed, or was never answered, is executed again on a
/// retry: the same id with a later epoch or number.
public struct UplinkServer: Sendable, Equatable {
  /// The most remembered requests; if all are unanswered, further ones are refused.
  public static let requestsMax = 64

  private struct Entry: Sendable, Equatable {
    var id: Identifier
    /// The epoch and number of the last transmission by the phone.
    var epoch: Epoch
    var seq: SequenceNumber
    var answer: Answer?
  }

  private struct Answer: Sendable, Equatable {
    var seq: SequenceNumber
    var status: Int
    var payload: [UInt8]
    /// The number of transmissions of the answer.
    var attempt: UInt16 = 0
  }

  private let epoch: Epoch
  private var nextSeq = SequenceNumber(1)
  /// In the order of arrival.
  private var entries: [Entry] = []

  /// Creates the server for a start of the edge.
  public init(epoch: Epoch = Epoch(1)) { self.epoch = epoch }

  /// Handles a frame from the uplink.
  ///
  /// - Returns: The request to answer; nil for a duplicate, whose answer is sent again if there is one, and for frames
  ///   that cannot be decoded or accepted, which are recorded. A retry replaces a request that is still in progress.
  public mutating func receive(_ frame: Frame, in turn: inout Turn) -> UplinkRequest? {
    let now = turn.now
    guard frame.kind == .data, frame.channel == .http, frame.epoch.rawValue > 0, frame.seq.rawValue > 0 else {
      turn.record(frame.refused(why: "no request of a phone", at: now, on: .edge))
      return nil
    }
    let place = entries.firstIndex { $0.id == frame.transfer }
    if let place {
      let entry = entries[place]
      let isAnew = (entry.epoch, entry.seq) < (frame.epoch, frame.seq)
      let isMet = entry.answer.map { $0.status < 500 } ?? false
      if !isAnew || isMet {
        turn.record(UplinkDuplicate.self, on: .edge) {
          $0.id = frame.transfer
        }
        if isAnew { (entries[place].epoch, entries[place].seq) = (frame.epoch, frame.seq) }
        transmit(place, in: &turn)
        return nil
      }
    }
    let request: UplinkRequest
    do throws(UplinkTextError) {
      request = try UplinkText.reading(frame) { UplinkRequest(frame.transfer, $0) }
    } catch {
      turn.record(frame.undecodable(error, at: now, on: .edge))
      return nil
    }
    if let place {
      entries.remove(at: place)
    } else if entries.count == Self.requestsMax {
      guard let oldest = entries.firstIndex(where: { $0.answer != nil }) else {
        turn.record(frame.refused(why: "more than \(Self.requestsMax) requests at once", at: now, on: .edge))
        return nil
      }
      entries.remove(at: oldest)
    }
    entries.append(Entry(id: frame.transfer, epoch: frame.epoch, seq: frame.seq))
    return request
  }

  /// Answers a request; ignored if it is no longer remembered.
  ///
  /// - Returns: The status sent: 500 if the answer is over the limit of a frame.
  @discardableResult
  public mutating func answer(_ id: Identifier, status: Int, _ content: UplinkContent, in turn: inout Turn) -> Int {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return status }
    var status = status
    var payload = UplinkText.response(id, status: status, content)
    if payload.count > Frame.payloadBytesMax {
      status = 500
      payload = UplinkText.response(id, status: status, .body(Array("{\"error\":\"the answer is too large\"}".utf8)))
    }
    entries[place].answer = Answer(seq: nextSeq, status: status, payload: payload)
    nextSeq.rawValue += 1
    transmit(place, in: &turn)
    return status
  }

  private mutating func transmit(_ index: Int, in turn: inout Turn) {
    let entry = entries[index]
    guard let answer = entry.answer else { return }
    let attempt = answer.attempt == .max ? .max : answer.attempt + 1
    entries[index].answer?.attempt = attempt
    turn.send(
      Frame(
        kind: .reply, channel: .http, attempt: attempt, epoch: epoch, peerEpoch: entry.epoch, seq: answer.seq,
        offset: entry.seq.rawValue, transfer: entry.id, payload: answer.payload))
  }
}
