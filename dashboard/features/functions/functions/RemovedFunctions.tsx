import { useQuery } from '@tanstack/react-query'
import { functions } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetFunctions, removedQuery } from './queries.ts'

type Props = { projectRef: string; denied: string | undefined }

/** The trash, when something is in it. */
export function RemovedFunctions({ projectRef, denied }: Props) {
  const { data } = useQuery(removedQuery(projectRef))
  const restore = useCall(functions.restore, {
    onSuccess: async ({ slug }) => {
      toast.success(`${slug} is restored`)
      await forgetFunctions()
    },
  })
  if (!data?.length) return null
  return (
    <div className="page-tail">
      <Card title="Deleted functions" padded={false}>
        {restore.error && <Alert variant="danger" title={restore.error.message} />}
        <Table
          label="Deleted functions"
          columns={[
            { id: 'name', head: 'Name', cell: ({ slug }) => <span className="mono">{slug}</span> },
            {
              id: 'at',
              head: 'Deleted',
              width: '140px',
              cell: ({ removed_at: at }) => <Time at={at} />,
            },
            {
              id: 'restore',
              head: 'Actions',
              hideHead: true,
              width: '120px',
              numeric: true,
              cell: ({ id }) => (
                <Button
                  disabledReason={denied}
                  busy={restore.isPending && restore.variables.id === id}
                  onClick={() => restore.mutate({ ref: projectRef, id })}
                >
                  Restore
                </Button>
              ),
            },
          ]}
          rows={data}
          keyOf={({ id }) => id}
          empty={null}
        />
      </Card>
    </div>
  )
}
