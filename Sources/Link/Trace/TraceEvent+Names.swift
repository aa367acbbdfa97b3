extension TraceEvent.Name {
  /// The codes of the names that this package writes, as constants that a `switch` can use.
  ///
  /// A name that is not listed is as good as any other; it only has no constant. A test computes every
  /// one of these anew.
  public enum Code {
    /// The code of `frame.sent`.
    public static let frameSent: UInt64 = 0x53E3_DA93_9A72_48E6
    /// The code of `frame.duplicated`.
    public static let frameDuplicated: UInt64 = 0x94DE_3087_63AA_5D37
    /// The code of `frame.delivered`.
    public static let frameDelivered: UInt64 = 0xB2EC_6C48_7628_66A0
    /// The code of `frame.dropped`.
    public static let frameDropped: UInt64 = 0x09AC_CEBE_86AD_3A3E
    /// The code of `link.down`.
    public static let linkDown: UInt64 = 0x8096_BC98_C056_1275
    /// The code of `link.up`.
    public static let linkUp: UInt64 = 0xEC38_FDFC_B880_C9A0
    /// The code of `reachability`.
    public static let reachability: UInt64 = 0x0E42_24BC_6CA4_806E
    /// The code of `fault.begin`.
    public static let faultBegin: UInt64 = 0x1568_D3DA_5DB2_4B44
    /// The code of `fault.end`.
    public static let faultEnd: UInt64 = 0x9DCA_08D9_74C4_CD30
    /// The code of `node.started`.
    public static let nodeStarted: UInt64 = 0x3C27_D4BB_66C6_F39A
    /// The code of `node.failed`.
    public static let nodeFailed: UInt64 = 0x6D53_BA12_C93B_6678
    /// The code of `node.killed`.
    public static let nodeKilled: UInt64 = 0x5FF1_DF02_E83A_92B4
    /// The code of `node.suspended`.
    public static let nodeSuspended: UInt64 = 0x56A2_3B0E_C16E_750E
    /// The code of `node.resumed`.
    public static let nodeResumed: UInt64 = 0x1D99_9387_83CC_71EE
    /// The code of `transfer.queued`.
    public static let transferQueued: UInt64 = 0xE980_DDFC_3328_CE49
    /// The code of `transfer.delivered`.
    public static let transferDelivered: UInt64 = 0x1CBE_2D24_8D4A_EAE0
    /// The code of `transfer.finished`.
    public static let transferFinished: UInt64 = 0xACB7_A7EC_0897_08A6
    /// The code of `transfer.failed`.
    public static let transferFailed: UInt64 = 0xB039_CB88_6922_902D
    /// The code of `transfer.setAside`.
    public static let transferSetAside: UInt64 = 0x935F_2721_827D_7EC0
    /// The code of `transfer.cancelled`.
    public static let transferCancelled: UInt64 = 0xCF2A_0977_B7EF_656B
    /// The code of `transfer.redelivered`.
    public static let transferRedelivered: UInt64 = 0x312E_C67C_DFC8_A13B
    /// The code of `message.received`.
    public static let messageReceived: UInt64 = 0x8923_7838_D44B_043D
    /// The code of `message.refused`.
    public static let messageRefused: UInt64 = 0xE328_349B_5EF5_1C86
    /// The code of `message.duplicate`.
    public static let messageDuplicate: UInt64 = 0x49F0_239C_32A9_6DEF
    /// The code of `message.failed`.
    public static let messageFailed: UInt64 = 0xA47A_79D1_59B4_2D3F
    /// The code of `payload.undecodable`.
    public static let payloadUndecodable: UInt64 = 0x5197_C501_4F36_9285
    /// The code of `context.set`.
    public static let contextSet: UInt64 = 0x18BB_6391_F63E_D68E
    /// The code of `context.received`.
    public static let contextReceived: UInt64 = 0xD207_CF44_1215_A2C5
    /// The code of `snapshot`.
    public static let snapshot: UInt64 = 0xCBD9_4D66_9837_9DAD
    /// The code of `snapshot.fresh`.
    public static let snapshotFresh: UInt64 = 0x035E_5BD1_6CEA_44FB
    /// The code of `snapshot.stale`.
    public static let snapshotStale: UInt64 = 0x6A49_B743_9106_2482
    /// The code of `run.opened`.
    public static let runOpened: UInt64 = 0xE93E_AE9E_566C_649D
    /// The code of `run.named`.
    public static let runNamed: UInt64 = 0xB70D_D8CE_3406_E299
    /// The code of `run.state`.
    public static let runState: UInt64 = 0x339C_5C27_937D_5FF1
    /// The code of `run.history`.
    public static let runHistory: UInt64 = 0x1668_FA7A_C075_751C
    /// The code of `run.refused`.
    public static let runRefused: UInt64 = 0x86BA_3CB8_091E_15D4
    /// The code of `run.finished`.
    public static let runFinished: UInt64 = 0xDB53_B510_D64E_B0FA
    /// The code of `liveness.disconnected`.
    public static let livenessDisconnected: UInt64 = 0xBEB6_0D4C_6346_5AAD
    /// The code of `liveness.reconnected`.
    public static let livenessReconnected: UInt64 = 0x05A4_5DF6_10A0_246A
    /// The code of `script.loaded`.
    public static let scriptLoaded: UInt64 = 0x72A6_0682_FA6E_D3F1
    /// The code of `script.dispatch`.
    public static let scriptDispatch: UInt64 = 0xCFEF_1457_A8C3_E3AE
    /// The code of `script.expired`.
    public static let scriptExpired: UInt64 = 0xCAAF_EE9B_08CF_239D
    /// The code of `script.skipped`.
    public static let scriptSkipped: UInt64 = 0xE5D8_A97A_43F2_0460
    /// The code of `script.branch`.
    public static let scriptBranch: UInt64 = 0x7B86_84DF_29E2_6B54
    /// The code of `audio.start`.
    public static let audioStart: UInt64 = 0xD9E9_4536_1034_564F
    /// The code of `audio.end`.
    public static let audioEnd: UInt64 = 0x7CAD_5014_8635_48FA
    /// The code of `audio.interrupted`.
    public static let audioInterrupted: UInt64 = 0x70A4_D65D_75EA_9C01
    /// The code of `audio.dropped`.
    public static let audioDropped: UInt64 = 0x1880_1B30_1B67_8795
    /// The code of `audio.duck`.
    public static let audioDuck: UInt64 = 0x3171_46EA_F0AA_9648
    /// The code of `audio.unduck`.
    public static let audioUnduck: UInt64 = 0xBDA5_67B5_12E0_51F3
    /// The code of `audio.mute`.
    public static let audioMute: UInt64 = 0xCB77_1D26_8EA6_C444
    /// The code of `audio.unmute`.
    public static let audioUnmute: UInt64 = 0xDBC7_3D79_4B79_D6AB
    /// The code of `audio.interruption`.
    public static let audioInterruption: UInt64 = 0x72C3_51CF_6F13_C0C6
    /// The code of `audio.interruptionEnd`.
    public static let audioInterruptionEnd: UInt64 = 0x30C6_8099_8E78_2A23
    /// The code of `health.saved`.
    public static let healthSaved: UInt64 = 0x450A_EED5_AA27_E0FE
    /// The code of `haptic`.
    public static let haptic: UInt64 = 0xBF3A_D6ED_92B0_B07A
    /// The code of `haptic.void`.
    public static let hapticVoid: UInt64 = 0x8FED_A079_65DB_F9EE
    /// The code of `workout.state`.
    public static let workoutState: UInt64 = 0x9F9A_14F4_FA73_A863
    /// The code of `start.accepted`.
    public static let startAccepted: UInt64 = 0x7DAD_C447_22C9_25A6
    /// The code of `start.declined`.
    public static let startDeclined: UInt64 = 0xDD08_3DBC_0CC4_B4A5
    /// The code of `start.failed`.
    public static let startFailed: UInt64 = 0xFDC9_4890_29EF_7D7E
    /// The code of `command.refused`.
    public static let commandRefused: UInt64 = 0xE99F_8EB0_13EB_704C
    /// The code of `voice.recorded`.
    public static let voiceRecorded: UInt64 = 0x666F_B724_9A6B_A70D
    /// The code of `voice.received`.
    public static let voiceReceived: UInt64 = 0x1E76_71E6_E0BE_8742
    /// The code of `voice.transcribed`.
    public static let voiceTranscribed: UInt64 = 0x1D3B_03EB_44C3_6BF6
    /// The code of `ai.requested`.
    public static let aiRequested: UInt64 = 0x2240_9ECC_6E5B_48CD
    /// The code of `ai.reply`.
    public static let aiReply: UInt64 = 0x37FF_2C08_9EAD_6805
    /// The code of `ai.fallback`.
    public static let aiFallback: UInt64 = 0x3C69_7B4F_8EBA_9859
    /// The code of `ai.late`.
    public static let aiLate: UInt64 = 0x5224_BFDE_C868_859F
    /// The code of `ai.failed`.
    public static let aiFailed: UInt64 = 0x7C6A_50B7_0F55_097E
    /// The code of `ai.cached`.
    public static let aiCached: UInt64 = 0xAC31_C9A2_BCEB_2CC9
    /// The code of `ai.dropped`.
    public static let aiDropped: UInt64 = 0x35FC_98F0_6DA6_5FBF
    /// The code of `memory.updated`.
    public static let memoryUpdated: UInt64 = 0x46CD_0B2C_9BCC_19BF
    /// The code of `memory.refused`.
    public static let memoryRefused: UInt64 = 0x0F6E_A87D_D1EC_6F08
    /// The code of `expectation`.
    public static let expectation: UInt64 = 0x493C_5482_3ADF_3EA5
    /// The code of `violation`.
    public static let violation: UInt64 = 0xA268_4610_BA7A_41B8
    /// The code of `healed`.
    public static let healed: UInt64 = 0x7F9C_DAB5_28B7_0D9A
    /// The code of `end`.
    public static let end: UInt64 = 0xC2F0_0318_F053_500A
  }

  /// Every name that this package writes.
  public static let known: [TraceEvent.Name] = [
    "frame.sent", "frame.duplicated", "frame.delivered", "frame.dropped", "link.down", "link.up", "reachability",
    "fault.begin", "fault.end", "node.started", "node.failed", "node.killed", "node.suspended", "node.resumed",
    "transfer.queued", "transfer.delivered", "transfer.finished", "transfer.failed", "transfer.setAside",
    "transfer.cancelled", "transfer.redelivered", "message.received", "message.refused", "message.duplicate",
    "message.failed", "payload.undecodable", "context.set", "context.received", "snapshot", "snapshot.fresh",
    "snapshot.stale", "run.opened", "run.named", "run.state", "run.history", "run.refused", "run.finished",
    "liveness.disconnected", "liveness.reconnected", "script.loaded", "script.dispatch", "script.expired",
    "script.skipped", "script.branch", "audio.start", "audio.end", "audio.interrupted", "audio.dropped",
    "audio.duck", "audio.unduck", "audio.mute", "audio.unmute", "audio.interruption", "audio.interruptionEnd",
    "health.saved", "haptic", "haptic.void", "workout.state", "start.accepted", "start.declined", "start.failed",
    "command.refused", "command.dropped", "voice.recorded", "voice.received", "voice.transcribed", "voice.discarded",
    "uplink.reachability", "uplink.duplicate", "uplink.refused", "edge.request", "edge.response",
    "transfer.progress", "frame.refused", "ai.requested", "ai.reply", "ai.fallback", "ai.late", "ai.failed",
    "ai.cached", "ai.dropped", "memory.updated", "memory.refused", "expectation", "violation", "healed", "end",
  ]
}
