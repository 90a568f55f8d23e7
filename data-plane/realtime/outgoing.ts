import {
  encode,
  encodeUser,
  websocketFrame,
  type ServerMessage,
  type UserBroadcast,
  type Version,
} from './frames.ts'

/** One message on its way to many sockets: made into bytes once per version, however many get it. */
export type Outgoing = {
  /** Undefined: clients of this version do not get it. */
  frame(version: Version): Buffer | undefined
}

export function outgoing(message: ServerMessage): Outgoing {
  const frames: Partial<Record<Version, Buffer>> = {}
  return { frame: (version) => (frames[version] ??= websocketFrame(encode(version, message))) }
}

/** What came in a binary frame: binary for version 2; as JSON for version 1, which has no other way. */
export function outgoingUser(topic: string, user: UserBroadcast): Outgoing {
  const { event, isJson, payload, meta } = user
  const asText = () =>
    outgoing({
      topic,
      event: 'broadcast',
      payload: {
        type: 'broadcast',
        event,
        payload: JSON.parse(payload.toString()) as unknown,
        ...(meta === '' ? {} : { meta: JSON.parse(meta) as unknown }),
      },
    })
  let text: Outgoing | undefined
  let binary: Buffer | undefined
  return {
    frame(version) {
      if (version === 2 && binary) return binary
      const data = version === 2 ? encodeUser(topic, user) : undefined
      if (data) return (binary = websocketFrame(data))
      return isJson ? (text ??= asText()).frame(version) : undefined
    },
  }
}
