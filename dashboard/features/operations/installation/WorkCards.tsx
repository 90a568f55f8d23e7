import type { Health } from '#contract/operations/health'
import { Card } from '../../../ui/Card.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { counted, numberText, timeText } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago, Time } from '../../../ui/text/Time.tsx'
import { Facts } from './Facts.tsx'

type Failure = Health['jobs']['failures'][number]

const failureColumns: Column<Failure>[] = [
  { id: 'name', head: 'Job', cell: ({ name }) => <span className="mono t12">{name}</span> },
  {
    id: 'subject',
    head: 'Subject',
    wideOnly: true,
    cell: ({ subject }) => <span className="mono t12">{subject}</span>,
  },
  {
    id: 'failure',
    head: 'Reason',
    cell: ({ failure }) => <span className="health-wrap">{failure}</span>,
  },
  {
    id: 'when',
    head: 'When',
    numeric: true,
    width: '100px',
    cell: ({ finished_at: at }) => <Time at={at} />,
  },
]

/** What was accepted and is done in the background, mails among it. */
export function JobsCard({ jobs, mails }: { jobs: Health['jobs']; mails: Health['mails'] }) {
  const { waiting, running, finished, failed, oldest, failures } = jobs
  return (
    <Card title="Jobs and mails" padded={false}>
      <div className="pad">
        <Facts
          facts={[
            ['Waiting', numberText(waiting)],
            ['Running', numberText(running)],
            [
              'Oldest unfinished job',
              oldest ? (
                <>
                  <span className="mono t12">{oldest.name}</span>, accepted{' '}
                  <Ago at={oldest.accepted_at} />
                </>
              ) : (
                'None'
              ),
            ],
            [
              'Finished in 24 hours',
              `${numberText(finished)}, of which ${numberText(failed)} failed`,
            ],
            [
              'Mails waiting',
              mails.oldest_at === null ? (
                'None'
              ) : (
                <>
                  {numberText(mails.waiting)}, the oldest queued <Ago at={mails.oldest_at} />
                </>
              ),
            ],
            ['Mails not sent in 7 days', numberText(mails.given_up)],
          ]}
        />
      </div>
      <Table
        label="Failed jobs"
        columns={failureColumns}
        rows={failures}
        keyOf={({ id }) => id}
        empty={<p className="health-none">No job has failed.</p>}
        pageSize={10}
      />
    </Card>
  )
}

type Round = Health['rounds'][number]

const roundColumns: Column<Round>[] = [
  { id: 'name', head: 'Work', cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'state',
    head: 'State',
    cell: (round) => <RoundState round={round} />,
    sortBy: ({ failures }) => failures,
  },
  {
    id: 'every',
    head: 'Every',
    numeric: true,
    wideOnly: true,
    cell: ({ seconds }) => everyText(seconds),
    sortBy: ({ seconds }) => seconds,
  },
  {
    id: 'took',
    head: 'Duration',
    numeric: true,
    wideOnly: true,
    cell: ({ duration_ms: ms }) => (ms === null ? '' : timeText(ms)),
    sortBy: ({ duration_ms: ms }) => ms ?? 0,
  },
  {
    id: 'last',
    head: 'Last run',
    numeric: true,
    cell: ({ began_at: at }) => (at === null ? 'Not yet' : <Time at={at} />),
    sortBy: ({ began_at: at }) => at ?? '',
  },
]

const everyText = (seconds: number): string =>
  seconds % 3600 === 0
    ? `${seconds / 3600} h`
    : seconds % 60 === 0
      ? `${seconds / 60} min`
      : `${seconds} s`

function RoundState({ round: { running, failures, failure } }: { round: Round }) {
  if (failures > 0)
    return (
      <span className="health-wrap">
        <Status tone="danger">Failed {counted(failures, 'time')} in a row</Status>
        <span className="t12 muted"> {failure}</span>
      </span>
    )
  return running ? <Status tone="working">Running</Status> : <Status tone="success">OK</Status>
}

type Failing = Health['failing'][number]

const failingColumns: Column<Failing>[] = [
  { id: 'round', head: 'Work', cell: ({ round }) => round },
  {
    id: 'subject',
    head: 'Subject',
    cell: ({ subject }) => <span className="mono t12">{subject}</span>,
  },
  {
    id: 'failure',
    head: 'Reason',
    cell: ({ failure }) => <span className="health-wrap">{failure}</span>,
  },
  { id: 'failures', head: 'Failures', numeric: true, cell: ({ failures }) => numberText(failures) },
  { id: 'since', head: 'Since', numeric: true, cell: ({ since }) => <Time at={since} /> },
]

/** What is done again and again. */
export function RoundsCard({
  rounds,
  failing,
}: {
  rounds: readonly Round[]
  failing: readonly Failing[]
}) {
  return (
    <Card title="Recurring work" padded={false}>
      {failing.length > 0 && (
        <Table
          label="Failing recurring work"
          columns={failingColumns}
          rows={failing}
          keyOf={({ place, round, subject }) => `${place} ${round} ${subject}`}
          empty={null}
          pageSize={20}
        />
      )}
      <Table
        label="Recurring work"
        columns={roundColumns}
        rows={rounds}
        keyOf={({ place, name }) => `${place} ${name}`}
        startOrder={{ column: 'state', descending: true }}
        empty={<p className="health-none">No control plane has reported yet.</p>}
      />
    </Card>
  )
}
