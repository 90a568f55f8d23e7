import type { GuardedTable } from '#contract/database/database-policies'
import { quoteLiteral } from '#contract/ddl/sql-text'
import type { PolicyTemplate } from './policy-draft.ts'

/** Beginnings for the policies that most buckets need. */
export function storageTemplates(bucket: string): PolicyTemplate[] {
  const here = `bucket_id = ${quoteLiteral(bucket)}`
  const folder = `${here}\n  and (storage.foldername(name))[1] = (select auth.uid())::text`
  const own = `${here}\n  and owner_id = (select auth.uid())::text`
  const named = (words: string) => `${bucket.slice(0, 30)}: ${words}`
  const open = { action: 'PERMISSIVE', definition: '', check: '' } as const
  const signedIn = { ...open, roles: ['authenticated'] }
  return [
    {
      id: 'read-all',
      title: 'Everybody reads and lists',
      help: 'All files of the bucket, even without signing in.',
      fill: {
        ...open,
        name: named('everybody reads'),
        command: 'SELECT',
        roles: ['public'],
        definition: here,
      },
    },
    {
      id: 'signed-in-read',
      title: 'Signed-in users read and list',
      help: 'All files of the bucket, once they have signed in.',
      fill: {
        ...signedIn,
        name: named('signed-in users read'),
        command: 'SELECT',
        definition: here,
      },
    },
    {
      id: 'folder',
      title: 'A folder for each user',
      help: 'Users can do anything in the folder named after their ID.',
      fill: {
        ...signedIn,
        name: named('a folder for each user'),
        command: 'ALL',
        definition: folder,
        check: folder,
      },
    },
    {
      id: 'public-folder',
      title: 'Everybody reads one folder',
      help: 'The public folder and everything below it.',
      fill: {
        ...open,
        name: named('everybody reads one folder'),
        command: 'SELECT',
        roles: ['public'],
        definition: `${here}\n  and (storage.foldername(name))[1] = 'public'`,
      },
    },
    {
      id: 'upload',
      title: 'Signed-in users upload',
      help: 'New files anywhere in the bucket.',
      fill: {
        ...signedIn,
        name: named('signed-in users upload'),
        command: 'INSERT',
        check: here,
      },
    },
    {
      id: 'own-update',
      title: 'Users replace and move their own files',
      help: 'Files that they uploaded. A read policy is needed as well.',
      fill: {
        ...signedIn,
        name: named('users change their own'),
        command: 'UPDATE',
        definition: own,
        check: own,
      },
    },
    {
      id: 'own-delete',
      title: 'Users delete their own files',
      help: 'Files that they uploaded. A read policy is needed as well.',
      fill: {
        ...signedIn,
        name: named('users delete their own'),
        command: 'DELETE',
        definition: own,
      },
    },
    {
      id: 'pictures',
      title: 'Only pictures',
      help: 'Restrictive: applies in addition to other upload policies of this bucket.',
      fill: {
        action: 'RESTRICTIVE',
        definition: '',
        roles: ['public'],
        name: named('only pictures'),
        command: 'INSERT',
        check: `bucket_id <> ${quoteLiteral(bucket)}\n  or lower(storage.extension(name)) in ('png', 'jpg', 'jpeg', 'webp', 'gif')`,
      },
    },
  ]
}

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
