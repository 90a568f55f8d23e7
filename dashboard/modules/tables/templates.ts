import { draftColumn, draftTable, type DraftColumn, type DraftTable } from './draft-table.ts'

type Template = { name: string; help: string; comment: string; columns: () => DraftColumn[] }

const id = () =>
  draftColumn({ name: 'id', type: 'int8', key: true, nullable: false, identity: 'BY DEFAULT' })
const made = () =>
  draftColumn({ name: 'created_at', type: 'timestamptz', default: 'now()', nullable: false })
const text = (name: string, more: Partial<DraftColumn> = {}) =>
  draftColumn({ name, nullable: false, ...more })

/** Tables that many projects begin with. */
export const templates: readonly Template[] = [
  {
    name: 'profiles',
    help: 'One row for each user of your app',
    comment: 'What a user shows of themselves.',
    columns: () => [
      draftColumn({
        name: 'id',
        type: 'uuid',
        key: true,
        nullable: false,
        default: 'auth.uid()',
        comment: 'The id of the user.',
      }),
      text('username', { unique: true, check: 'length(username) between 3 and 40' }),
      draftColumn({ name: 'full_name' }),
      draftColumn({ name: 'avatar_url' }),
      made(),
    ],
  },
  {
    name: 'todos',
    help: 'A list of things to do, each of one user',
    comment: 'Things to do.',
    columns: () => [
      id(),
      draftColumn({ name: 'user_id', type: 'uuid', nullable: false, default: 'auth.uid()' }),
      text('task', { check: 'length(task) > 0' }),
      draftColumn({ name: 'done', type: 'bool', nullable: false, default: 'false' }),
      draftColumn({ name: 'due_on', type: 'date' }),
      made(),
    ],
  },
  {
    name: 'products',
    help: 'A catalogue with prices',
    comment: 'What is for sale.',
    columns: () => [
      id(),
      text('name'),
      text('sku', { unique: true, comment: 'The number on the shelf.' }),
      draftColumn({
        name: 'price',
        type: 'numeric(12,2)',
        nullable: false,
        check: 'price >= 0',
      }),
      draftColumn({ name: 'tags', isArray: true, nullable: false, default: "'{}'" }),
      draftColumn({ name: 'details', type: 'jsonb', nullable: false, default: "'{}'" }),
      made(),
    ],
  },
  {
    name: 'events',
    help: 'Something happened, and when',
    comment: 'What happened, newest last.',
    columns: () => [
      draftColumn({
        name: 'id',
        type: 'uuid',
        key: true,
        nullable: false,
        default: 'gen_random_uuid()',
      }),
      text('kind'),
      draftColumn({ name: 'payload', type: 'jsonb', nullable: false, default: "'{}'" }),
      draftColumn({ name: 'happened_at', type: 'timestamptz', default: 'now()', nullable: false }),
    ],
  },
]

export const fromTemplate = (draft: DraftTable, template: Template): DraftTable => ({
  ...draftTable(draft.schema, draft),
  name: draft.name || template.name,
  comment: template.comment,
  columns: template.columns(),
})
