import type { GuardedTable } from '#contract/database/database-policies'
import type { PolicyTemplate } from './policy-templates.ts'

/** The table whose policies say who reads and writes private channels. */
export const isOfChannels = ({ schema, name }: Pick<GuardedTable, 'schema' | 'name'>): boolean =>
  schema === 'realtime' && name === 'messages'

const allowing = { action: 'PERMISSIVE', definition: '', check: '' } as const
const signedIn = { ...allowing, roles: ['authenticated'] }
const ownTopic = "(select realtime.topic()) = 'user:' || (select auth.uid())::text"
const ofRoom = `exists (
  select from room_members
  where user_id = (select auth.uid())
    and room_id::text = split_part((select realtime.topic()), ':', 2)
)`

/** Beginnings for who may do what in private channels: reading is SELECT, writing is INSERT. */
export const channelTemplates: PolicyTemplate[] = [
  {
    id: 'hear-broadcast',
    title: 'Signed-in users hear broadcasts',
    help: 'In every private channel.',
    fill: {
      ...signedIn,
      name: 'Signed-in users hear broadcasts',
      command: 'SELECT',
      definition: "extension = 'broadcast'",
    },
  },
  {
    id: 'send-broadcast',
    title: 'Signed-in users send broadcasts',
    help: 'To every private channel.',
    fill: {
      ...signedIn,
      name: 'Signed-in users send broadcasts',
      command: 'INSERT',
      check: "extension = 'broadcast'",
    },
  },
  {
    id: 'see-presence',
    title: 'Signed-in users see who is there',
    help: 'Presence of every private channel.',
    fill: {
      ...signedIn,
      name: 'Signed-in users see who is there',
      command: 'SELECT',
      definition: "extension = 'presence'",
    },
  },
  {
    id: 'track-presence',
    title: 'Signed-in users share their presence',
    help: 'Presence in every private channel.',
    fill: {
      ...signedIn,
      name: 'Signed-in users say that they are there',
      command: 'INSERT',
      check: "extension = 'presence'",
    },
  },
  {
    id: 'own-read',
    title: 'Users read a channel of their own',
    help: 'The channel named user: followed by their ID.',
    fill: {
      ...signedIn,
      name: 'Users read a channel of their own',
      command: 'SELECT',
      definition: ownTopic,
    },
  },
  {
    id: 'room-read',
    title: 'Members read the channel of their room',
    help: 'room: followed by an ID from a members table.',
    fill: {
      ...signedIn,
      name: 'Members read the channel of their room',
      command: 'SELECT',
      definition: ofRoom,
    },
  },
  {
    id: 'room-write',
    title: 'Members write to the channel of their room',
    help: 'room: followed by an ID from a members table.',
    fill: {
      ...signedIn,
      name: 'Members write to the channel of their room',
      command: 'INSERT',
      check: ofRoom,
    },
  },
  {
    id: 'everybody',
    title: 'Everybody reads channels of one kind',
    help: 'Channels whose names begin with news:, even without signing in.',
    fill: {
      ...allowing,
      roles: ['anon', 'authenticated'],
      name: 'Everybody reads news',
      command: 'SELECT',
      definition: "(select realtime.topic()) like 'news:%'",
    },
  },
]
