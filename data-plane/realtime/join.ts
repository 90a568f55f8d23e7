import { Channel, type Line } from './channel.ts'
import type { ClientMessage } from './frames.ts'
import { topicOf } from './hub.ts'
import { isKnownShape, readJoin, type JoinConfig } from './join-config.ts'
import { fullAccess, type Stored } from './messages-store.ts'
import { outgoing, outgoingUser, type Outgoing } from './outgoing.ts'
import { ChannelRefusal } from './refusal.ts'
import type { Reader, Service } from './service.ts'

type Joining = {
  service: Service
  line: Line
  message: ClientMessage
  /** Other channels that the socket has. */
  channels: number
  /** By the key of the connection. */
  keyReader: Reader
}
export type Joined = {
  channel: Channel
  config: JoinConfig
  replayed: { id: string; out: Outgoing }[]
}

/** Lets a client into a topic. @throws ChannelRefusal */
export async function joinChannel({
  service,
  line,
  message,
  channels,
  keyReader,
}: Joining): Promise<Joined> {
  const settings = service.settings()
  const name = message.topic.slice('realtime:'.length)
  if (!settings.enabled) {
    throw new ChannelRefusal('RealtimeDisabledForTenant', 'Realtime disabled for this tenant')
  }
  if (!service.rates.joins.take()) {
    throw new ChannelRefusal('ClientJoinRateLimitReached', 'Too many joins per second')
  }
  if (channels >= settings.maxChannelsPerClient) {
    throw new ChannelRefusal('ChannelRateLimitReached', 'Too many channels')
  }
  if (name === '') throw new ChannelRefusal('TopicNameRequired', 'You must provide a topic name')
  const { payload } = message
  if (!isKnownShape(payload)) {
    service.log.info({ ref: service.ref, topic: name }, 'InvalidJoinPayload')
  }
  const config = readJoin(payload)
  if (settings.privateOnly && !config.private) {
    throw new ChannelRefusal('PrivateOnly', 'This project only allows private channels')
  }
  const { accessToken } = config
  const isToken = accessToken !== undefined && !accessToken.startsWith('sb_')
  const reader = isToken ? await service.readerOf(accessToken) : keyReader
  const access = config.private ? await service.access(reader, name, line.headers) : fullAccess
  if (!access.broadcast.read && !access.presence.read) {
    throw new ChannelRefusal(
      'Unauthorized',
      `You do not have permissions to read from this Channel topic: ${name}`,
    )
  }
  checkReplay(config)
  // What a private channel is for comes from the database: it is heard from the moment of the answer.
  if (config.private) await service.messagesFlow()
  service.counts.joins++
  const channel = new Channel({
    service,
    line,
    name,
    joinRef: message.joinRef,
    config,
    reader,
    access,
  })
  try {
    const { replay } = config
    const stored = replay ? await service.stored(name, new Date(replay.since), replay.limit) : []
    return {
      channel,
      config,
      replayed: stored.map((one) => ({ id: one.id, out: replayOf(name, one) })),
    }
  } catch (error) {
    channel.close()
    throw error
  }
}

function checkReplay({ replay, private: isPrivate }: JoinConfig): void {
  if (!replay) return
  if (!isPrivate) {
    throw new ChannelRefusal(
      'UnableToReplayMessages',
      'Replay is only allowed for private channels',
    )
  }
  const isMoment = Number.isFinite(replay.since) && Math.abs(replay.since) <= 8.64e15
  if (!isMoment || Number.isNaN(replay.limit)) {
    throw new ChannelRefusal('UnableToReplayMessages', 'Replay params are not valid')
  }
}

function replayOf(name: string, { id, event, payload, binary }: Stored): Outgoing {
  const meta = { replayed: true, id }
  const topic = topicOf(name)
  if (binary) {
    return outgoingUser(topic, {
      event,
      isJson: false,
      payload: binary,
      meta: JSON.stringify(meta),
    })
  }
  return outgoing({
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload, meta },
  })
}
