extension TraceEvent.Name {
  /// The codes of the names that this package writes, as constants that a `switch` can use.
  ///
  /// Computed properties, so that other modules compare with an inlined number.
  ///
  /// A name without a constant works like any other. A test recomputes each of these.
  public enum Code {
    /// The code of `frame.sent`.
    @inlinable public static var frameSent: UInt64 { 0x53E3_DA93_9A72_48E6 }
    /// The code of `frame.duplicated`.
    @inlinable public static var frameDuplicated: UInt64 { 0x94DE_3087_63AA_5D37 }
    /// The code of `frame.delivered`.
    @inlinable public static var frameDelivered: UInt64 { 0xB2EC_6C48_7628_66A0 }
    /// The code of `frame.dropped`.
    @inlinable public static var frameDropped: UInt64 { 0x09AC_CEBE_86AD_3A3E }
    /// The code of `link.down`.
    @inlinable public static var linkDown: UInt64 { 0x8096_BC98_C056_1275 }
    /// The code of `link.up`.
    @inlinable public static var linkUp: UInt64 { 0xEC38_FDFC_B880_C9A0 }
    /// The code of `reachability`.
    @inlinable public static var reachability: UInt64 { 0x0E42_24BC_6CA4_806E }
    /// The code of `fault.begin`.
    @inlinable public static var faultBegin: UInt64 { 0x1568_D3DA_5DB2_4B44 }
    /// The code of `fault.end`.
    @inlinable public static var faultEnd: UInt64 { 0x9DCA_08D9_74C4_CD30 }
    /// The code of `node.started`.
    @inlinable public static var nodeStarted: UInt64 { 0x3C27_D4BB_66C6_F39A }
    /// The code of `node.failed`.
    @inlinable public static var nodeFailed: UInt64 { 0x6D53_BA12_C93B_6678 }
    /// The code of `node.killed`.
    @inlinable public static var nodeKilled: UInt64 { 0x5FF1_DF02_E83A_92B4 }
    /// The code of `node.suspended`.
    @inlinable public static var nodeSuspended: UInt64 { 0x56A2_3B0E_C16E_750E }
    /// The code of `node.resumed`.
    @inlinable public static var nodeResumed: UInt64 { 0x1D99_9387_83CC_71EE }
    /// The code of `transfer.queued`.
    @inlinable public static var transferQueued: UInt64 { 0xE980_DDFC_3328_CE49 }
    /// The code of `transfer.delivered`.
    @inlinable public static var transferDelivered: UInt64 { 0x1CBE_2D24_8D4A_EAE0 }
    /// The code of `transfer.finished`.
    @inlinable public static var transferFinished: UInt64 { 0xACB7_A7EC_0897_08A6 }
    /// The code of `transfer.failed`.
    @inlinable public static var transferFailed: UInt64 { 0xB039_CB88_6922_902D }
    /// The code of `transfer.setAside`.
    @inlinable public static var transferSetAside: UInt64 { 0x935F_2721_827D_7EC0 }
    /// The code of `transfer.cancelled`.
    @inlinable public static var transferCancelled: UInt64 { 0xCF2A_0977_B7EF_656B }
    /// The code of `transfer.redelivered`.
    @inlinable public static var transferRedelivered: UInt64 { 0x312E_C67C_DFC8_A13B }
    /// The code of `message.received`.
    @inlinable public static var messageReceived: UInt64 { 0x8923_7838_D44B_043D }
    /// The code of `message.refused`.
    @inlinable public static var messageRefused: UInt64 { 0xE328_349B_5EF5_1C86 }
    /// The code of `message.duplicate`.
    @inlinable public static var messageDuplicate: UInt64 { 0x49F0_239C_32A9_6DEF }
    /// The code of `message.failed`.
    @inlinable public static var messageFailed: UInt64 { 0xA47A_79D1_59B4_2D3F }
    /// The code of `payload.undecodable`.
    @inlinable public static var payloadUndecodable: UInt64 { 0x5197_C501_4F36_9285 }
    /// The code of `context.set`.
    @inlinable public static var contextSet: UInt64 { 0x18BB_6391_F63E_D68E }
    /// The code of `context.received`.
    @inlinable public static var contextReceived: UInt64 { 0xD207_CF44_1215_A2C5 }
    /// The code of `snapshot`.
    @inlinable public static var snapshot: UInt64 { 0xCBD9_4D66_9837_9DAD }
    /// The code of `snapshot.fresh`.
    @inlinable public static var snapshotFresh: UInt64 { 0x035E_5BD1_6CEA_44FB }
    /// The code of `snapshot.stale`.
    @inlinable public static var snapshotStale: UInt64 { 0x6A49_B743_9106_2482 }
    /// The code of `run.opened`.
    @inlinable public static var runOpened: UInt64 { 0xE93E_AE9E_566C_649D }
    /// The code of `run.named`.
    @inlinable public static var runNamed: UInt64 { 0xB70D_D8CE_3406_E299 }
    /// The code of `run.state`.
    @inlinable public static var runState: UInt64 { 0x339C_5C27_937D_5FF1 }
    /// The code of `run.history`.
    @inlinable public static var runHistory: UInt64 { 0x1668_FA7A_C075_751C }
    /// The code of `run.refused`.
    @inlinable public static var runRefused: UInt64 { 0x86BA_3CB8_091E_15D4 }
    /// The code of `run.finished`.
    @inlinable public static var runFinished: UInt64 { 0xDB53_B510_D64E_B0FA }
    /// The code of `liveness.disconnected`.
    @inlinable public static var livenessDisconnected: UInt64 { 0xBEB6_0D4C_6346_5AAD }
    /// The code of `liveness.reconnected`.
    @inlinable public static var livenessReconnected: UInt64 { 0x05A4_5DF6_10A0_246A }
    /// The code of `script.loaded`.
    @inlinable public static var scriptLoaded: UInt64 { 0x72A6_0682_FA6E_D3F1 }
    /// The code of `script.dispatch`.
    @inlinable public static var scriptDispatch: UInt64 { 0xCFEF_1457_A8C3_E3AE }
    /// The code of `script.expired`.
    @inlinable public static var scriptExpired: UInt64 { 0xCAAF_EE9B_08CF_239D }
    /// The code of `script.skipped`.
    @inlinable public static var scriptSkipped: UInt64 { 0xE5D8_A97A_43F2_0460 }
    /// The code of `script.branch`.
    @inlinable public static var scriptBranch: UInt64 { 0x7B86_84DF_29E2_6B54 }
    /// The code of `audio.start`.
    @inlinable public static var audioStart: UInt64 { 0xD9E9_4536_1034_564F }
    /// The code of `audio.end`.
    @inlinable public static var audioEnd: UInt64 { 0x7CAD_5014_8635_48FA }
    /// The code of `audio.interrupted`.
    @inlinable public static var audioInterrupted: UInt64 { 0x70A4_D65D_75EA_9C01 }
    /// The code of `audio.dropped`.
    @inlinable public static var audioDropped: UInt64 { 0x1880_1B30_1B67_8795 }
    /// The code of `audio.duck`.
    @inlinable public static var audioDuck: UInt64 { 0x3171_46EA_F0AA_9648 }
    /// The code of `audio.unduck`.
    @inlinable public static var audioUnduck: UInt64 { 0xBDA5_67B5_12E0_51F3 }
    /// The code of `audio.mute`.
    @inlinable public static var audioMute: UInt64 { 0xCB77_1D26_8EA6_C444 }
    /// The code of `audio.unmute`.
    @inlinable public static var audioUnmute: UInt64 { 0xDBC7_3D79_4B79_D6AB }
    /// The code of `audio.interruption`.
    @inlinable public static var audioInterruption: UInt64 { 0x72C3_51CF_6F13_C0C6 }
    /// The code of `audio.interruptionEnd`.
    @inlinable public static var audioInterruptionEnd: UInt64 { 0x30C6_8099_8E78_2A23 }
    /// The code of `health.saved`.
    @inlinable public static var healthSaved: UInt64 { 0x450A_EED5_AA27_E0FE }
    /// The code of `haptic`.
    @inlinable public static var haptic: UInt64 { 0xBF3A_D6ED_92B0_B07A }
    /// The code of `haptic.void`.
    @inlinable public static var hapticVoid: UInt64 { 0x8FED_A079_65DB_F9EE }
    /// The code of `workout.state`.
    @inlinable public static var workoutState: UInt64 { 0x9F9A_14F4_FA73_A863 }
    /// The code of `workout.position`.
    @inlinable public static var workoutPosition: UInt64 { 0x1B2A_1912_E2F0_5179 }
    /// The code of `start.accepted`.
    @inlinable public static var startAccepted: UInt64 { 0x7DAD_C447_22C9_25A6 }
    /// The code of `start.declined`.
    @inlinable public static var startDeclined: UInt64 { 0xDD08_3DBC_0CC4_B4A5 }
    /// The code of `start.failed`.
    @inlinable public static var startFailed: UInt64 { 0xFDC9_4890_29EF_7D7E }
    /// The code of `command.refused`.
    @inlinable public static var commandRefused: UInt64 { 0xE99F_8EB0_13EB_704C }
    /// The code of `voice.recorded`.
    @inlinable public static var voiceRecorded: UInt64 { 0x666F_B724_9A6B_A70D }
    /// The code of `voice.received`.
    @inlinable public static var voiceReceived: UInt64 { 0x1E76_71E6_E0BE_8742 }
    /// The code of `voice.transcribed`.
    @inlinable public static var voiceTranscribed: UInt64 { 0x1D3B_03EB_44C3_6BF6 }
    /// The code of `ai.requested`.
    @inlinable public static var aiRequested: UInt64 { 0x2240_9ECC_6E5B_48CD }
    /// The code of `ai.reply`.
    @inlinable public static var aiReply: UInt64 { 0x37FF_2C08_9EAD_6805 }
    /// The code of `ai.fallback`.
    @inlinable public static var aiFallback: UInt64 { 0x3C69_7B4F_8EBA_9859 }
    /// The code of `ai.late`.
    @inlinable public static var aiLate: UInt64 { 0x5224_BFDE_C868_859F }
    /// The code of `ai.failed`.
    @inlinable public static var aiFailed: UInt64 { 0x7C6A_50B7_0F55_097E }
    /// The code of `ai.cached`.
    @inlinable public static var aiCached: UInt64 { 0xAC31_C9A2_BCEB_2CC9 }
    /// The code of `ai.dropped`.
    @inlinable public static var aiDropped: UInt64 { 0x35FC_98F0_6DA6_5FBF }
    /// The code of `memory.updated`.
    @inlinable public static var memoryUpdated: UInt64 { 0x46CD_0B2C_9BCC_19BF }
    /// The code of `memory.refused`.
    @inlinable public static var memoryRefused: UInt64 { 0x0F6E_A87D_D1EC_6F08 }
    /// The code of `expectation`.
    @inlinable public static var expectation: UInt64 { 0x493C_5482_3ADF_3EA5 }
    /// The code of `violation`.
    @inlinable public static var violation: UInt64 { 0xA268_4610_BA7A_41B8 }
    /// The code of `healed`.
    @inlinable public static var healed: UInt64 { 0x7F9C_DAB5_28B7_0D9A }
    /// The code of `end`.
    @inlinable public static var end: UInt64 { 0xC2F0_0318_F053_500A }
  }

  /// `frame.sent`; this name and the following ones occur every second of a run, and are created without hashing.
  @inlinable public static var frameSent: Self { Self("frame.sent", code: Code.frameSent) }
  /// `frame.delivered`.
  @inlinable public static var frameDelivered: Self { Self("frame.delivered", code: Code.frameDelivered) }
  /// `message.received`.
  @inlinable public static var messageReceived: Self { Self("message.received", code: Code.messageReceived) }
  /// `snapshot`.
  @inlinable public static var snapshot: Self { Self("snapshot", code: Code.snapshot) }
  /// `snapshot.fresh`.
  @inlinable public static var snapshotFresh: Self { Self("snapshot.fresh", code: Code.snapshotFresh) }
}
