import { Archive, Plus } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Samples } from './Samples.tsx'
import { numberText } from '../../../ui/text/number.ts'

type Bucket = { name: string; access: string; objects: number }
const buckets: Bucket[] = [
  { name: 'product-photos', access: 'Public', objects: 4118 },
  { name: 'invoices', access: 'Private', objects: 46_702 },
  { name: 'roast-logs', access: 'Private', objects: 1904 },
]
const columns: Column<Bucket>[] = [
  {
    id: 'name',
    head: 'Bucket',
    sortBy: (b) => b.name,
    cell: (b) => <span className="med">{b.name}</span>,
  },
  {
    id: 'access',
    head: 'Access',
    wideOnly: true,
    cell: (b) => <span className="muted">{b.access}</span>,
  },
  {
    id: 'objects',
    head: 'Objects',
    numeric: true,
    sortBy: (b) => b.objects,
    cell: (b) => numberText(b.objects),
  },
]
const many = Array.from({ length: 7 }, (_, i) => ({
  name: `bucket-${i}`,
  access: 'Private',
  objects: i,
}))
const empty = (
  <EmptyState
    icon={Archive}
    title="No buckets yet"
    action={
      <Button variant="primary" icon={Plus}>
        New bucket
      </Button>
    }
  >
    A bucket holds files and the rules for who may read them.
  </EmptyState>
)
const common = { columns, keyOf: (b: Bucket) => b.name, empty }

export function ListSamples() {
  return (
    <Samples title="Cards and tables: rows, pages, empty, loading, failed">
      <Card title="Buckets" padded={false} footer={<Button size="form">Cancel</Button>}>
        <Table
          label="Buckets"
          rows={buckets}
          startOrder={{ column: 'name', descending: false }}
          {...common}
        />
      </Card>
      <div className="two">
        <Card title="Pages" padded={false}>
          <Table label="Pages of buckets" rows={many} pageSize={3} rowHeight={32} {...common} />
        </Card>
        <Card title="Loading" padded={false}>
          <Table label="Loading buckets" rows={undefined} {...common} />
        </Card>
        <Card padded={false}>
          <Table label="No buckets" rows={[]} {...common} />
        </Card>
        <Card padded={false}>
          <Table
            label="Buckets"
            rows={undefined}
            error={new Error('The storage service does not answer')}
            onRetry={() => {}}
            {...common}
          />
        </Card>
      </div>
    </Samples>
  )
}
