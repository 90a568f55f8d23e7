import type { UserBroadcast, Version } from './frames.ts'
import { outgoing, outgoingUser, type Outgoing } from './outgoing.ts'
import type { Change } from './changes/wal-store.ts'
import { grouped, Presence, type Diff, type Entry } from './presence.ts'

/** A message for all readers of a topic; `payload` as text, or `user` as it came in a binary frame. */
export type Broadcast = {
  name: string
  isPrivate: boolean
  payload?: unknown
  user?: UserBroadcast
  /** Of the stored message, when there is one. */
  id?: string | undefined
}

/** Who is in a topic, as the hub sees it. */
export type Member = {
  readonly name: string
  readonly isPrivate: boolean
  readonly version: Version
  readonly hearsPresence: boolean
  /** `id` tells a stored message, which it may have had before. */
  deliver(out: Outgoing, id: string | undefined): void
}
type Topic = { members: Set<Member>; presence: Presence }

/** What one process tells the others. */
export type Notice =
  | { kind: 'broadcast'; broadcast: Broadcast }
  | { kind: 'presence'; topic: string; diff: Diff }
  | { kind: 'state'; topics: { topic: string; entries: Entry[] }[] }
  | { kind: 'changes'; changes: Change[] }

export const topicOf = (name: string) => `realtime:${name}`
/** A public and a private channel of one name have nothing to do with each other. */
const keyOf = (name: string, isPrivate: boolean) => `${isPrivate ? 'private' : 'public'}:${name}`
const nameOf = (key: string) => key.slice(key.indexOf(':') + 1)

/**
 * The topics of a project in this process. What happens here goes to the other processes by `notify`, and what they send
 * comes in by `hear`.
 */
export class Hub {
  private readonly topics = new Map<string, Topic>()
  private readonly node: string
  private readonly notify: (notice: Notice) => void

  constructor(node: string, notify: (notice: Notice) => void) {
    this.node = node
    this.notify = notify
  }

  join(member: Member): void {
    const key = keyOf(member.name, member.isPrivate)
    const topic = this.topic(key)
    topic.members.add(member)
  }

  leave(member: Member): void {
    const key = keyOf(member.name, member.isPrivate)
    const topic = this.topics.get(key)
    topic?.members.delete(member)
    this.forgetEmpty(key)
  }

  /** To everybody in the topic but `except`, here and in the other processes. */
  broadcast(broadcast: Broadcast, except?: Member): void {
    this.deliver(broadcast, except)
    this.notify({ kind: 'broadcast', broadcast })
  }

  /** Only to those in this process. */
  deliver(broadcast: Broadcast, except?: Member): void {
    const { name, isPrivate, payload, user, id } = broadcast
    const topic = this.topics.get(keyOf(name, isPrivate))
    if (!topic || topic.members.size === 0) return
    const out = user
      ? outgoingUser(topicOf(name), user)
      : outgoing({ topic: topicOf(name), event: 'broadcast', payload })
    for (const member of topic.members) if (member !== except) member.deliver(out, id)
  }

  presenceState({ name, isPrivate }: Pick<Member, 'name' | 'isPrivate'>) {
    return this.topics.get(keyOf(name, isPrivate))?.presence.state() ?? {}
  }

  /** What a member has told or taken back. */
  present({ name, isPrivate }: Pick<Member, 'name' | 'isPrivate'>, diff: Diff): void {
    const key = keyOf(name, isPrivate)
    this.spread(key, this.topic(key).presence.merge(this.node, diff))
    this.notify({ kind: 'presence', topic: key, diff })
    this.forgetEmpty(key)
  }

  /** What another process tells. */
  hear(node: string, notice: Exclude<Notice, { kind: 'changes' }>): void {
    if (notice.kind === 'broadcast') return this.deliver(notice.broadcast)
    if (notice.kind === 'presence') {
      this.spread(notice.topic, this.topic(notice.topic).presence.merge(node, notice.diff))
      return this.forgetEmpty(notice.topic)
    }
    const all = new Map(notice.topics.map(({ topic, entries }) => [topic, entries]))
    for (const key of new Set([...this.topics.keys(), ...all.keys()])) {
      this.spread(key, this.topic(key).presence.replace(node, all.get(key) ?? []))
      this.forgetEmpty(key)
    }
  }

  /** Another process has gone, and with it everybody who was present by it. */
  lose(node: string): void {
    this.hear(node, { kind: 'state', topics: [] })
  }

  /** All that this process has told, for one that comes later. */
  state(): Extract<Notice, { kind: 'state' }> {
    const topics = [...this.topics].map(([topic, { presence }]) => ({
      topic,
      entries: presence.of(this.node),
    }))
    return { kind: 'state', topics: topics.filter(({ entries }) => entries.length > 0) }
  }

  private spread(key: string, { joins, leaves }: Diff): void {
    if (joins.length + leaves.length === 0) return
    // The public client loses track of who tells something new unless it hears first that the old is gone.
    if (joins.length > 0 && leaves.length > 0) {
      this.spread(key, { joins: [], leaves })
      return this.spread(key, { joins, leaves: [] })
    }
    const topic = this.topics.get(key)
    const payload = { joins: grouped(joins), leaves: grouped(leaves) }
    const out = outgoing({ topic: topicOf(nameOf(key)), event: 'presence_diff', payload })
    for (const member of topic?.members ?? []) {
      if (member.hearsPresence) member.deliver(out, undefined)
    }
  }

  private topic(key: string): Topic {
    const found = this.topics.get(key)
    if (found) return found
    const made = { members: new Set<Member>(), presence: new Presence() }
    this.topics.set(key, made)
    return made
  }

  private forgetEmpty(key: string): void {
    const topic = this.topics.get(key)
    if (topic?.members.size === 0 && topic.presence.size === 0) this.topics.delete(key)
  }
}
