import { useState, type ReactNode } from 'react'
import { Archive, Download, Ellipsis, Plus, Settings, Trash2 } from 'lucide-react'
import { Card } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { Button, type ButtonVariant } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { numberText } from '../../../ui/text/number.ts'

const regions = [
  'Frankfurt',
  'Ireland',
  'London',
  'Paris',
  'Zurich',
  'Stockholm',
  'Mumbai',
  'Singapore',
  'Tokyo',
].map((label) => ({ value: label, label, detail: label.slice(0, 2).toLowerCase() }))
const sizes = [
  { value: 'nano', label: 'Nano', end: 'included' },
  { value: 'micro', label: 'Micro', disabledReason: 'Larger sizes need the Pro plan' },
]

export function FieldSamples() {
  const [region, setRegion] = useState<string>('Frankfurt')
  const [size, setSize] = useState<string>()
  const [on, setOn] = useState(true)
  const [text, setText] = useState('')
  return (
    <Samples title="Fields">
      <div className="three">
        <TextField label="Rest" placeholder="storefront" help="Lower case, digits and hyphens." />
        <TextField label="Mono" mono defaultValue="packed_at" />
        <TextField label="Invalid" defaultValue="store front" error="Spaces are not allowed." />
        <TextField label="With unit" defaultValue="60" unit="seconds" inputMode="numeric" />
        <TextField
          label="Disabled"
          defaultValue="storefront"
          disabled
          help="Only an owner can rename it."
        />
        <SelectField
          label="Select, searched"
          options={regions}
          value={region}
          onChange={setRegion}
        />
        <PasswordField label="Password" defaultValue="granite and lapis" autoComplete="off" />
        <SelectField
          label="Select"
          options={sizes}
          value={size}
          onChange={setSize}
          placeholder="Choose a size"
        />
        <TextArea
          label="Text area"
          rows={2}
          defaultValue="Every order placed in the shop, one row each."
        />
      </div>
      <div className="three">
        <SearchField label="Find a table" value={text} onChange={setText} width={200} />
        <RadioGroup label="Radio">
          <Radio name="sample" label="Keep mine" defaultChecked />
          <Radio name="sample" label="Take theirs" help="What was saved last stays." />
        </RadioGroup>
        <div className="stack">
          <Checkbox label="Off" />
          <Checkbox label="On" defaultChecked />
          <Checkbox label="Some" mixed />
          <Checkbox label="Disabled" disabled />
        </div>
        <Switch label="On or off" checked={on} onChange={setOn} help="Takes effect at once." />
        <Switch label="Disabled, off" checked={false} onChange={setOn} disabled />
        <Switch label="Disabled, on" checked onChange={setOn} disabled />
      </div>
    </Samples>
  )
}

const rows: { variant: ButtonVariant; name: string; word: string; icon: typeof Plus }[] = [
  { variant: 'primary', name: 'Primary', word: 'Create', icon: Plus },
  { variant: 'secondary', name: 'Secondary', word: 'Export', icon: Download },
  { variant: 'ghost', name: 'Ghost', word: 'Cancel', icon: Download },
  { variant: 'danger', name: 'Danger', word: 'Delete', icon: Trash2 },
  { variant: 'danger-quiet', name: 'Danger, quiet', word: 'Delete', icon: Trash2 },
]
const heads = ['Rest', 'Hover', 'Pressed', 'Focus', 'Disabled', 'Busy', 'With icon', 'Form, 32']

export function ButtonSamples() {
  const [range, setRange] = useState('24')
  return (
    <Samples title="Buttons">
      <div className="matrix">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">Kind</span>
              </th>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ variant, name, word, icon }) => (
              <tr key={variant}>
                <th scope="row">{name}</th>
                {[undefined, 'is-hover', 'is-press', 'is-focus'].map((state) => (
                  <td key={state ?? 'rest'}>
                    <Button variant={variant} className={state}>
                      {word}
                    </Button>
                  </td>
                ))}
                <td>
                  <Button variant={variant} disabledReason="Only an owner can do this">
                    {word}
                  </Button>
                </td>
                <td>
                  <Button variant={variant} busy>
                    {word}
                  </Button>
                </td>
                <td>
                  <Button variant={variant} icon={icon}>
                    {word}
                  </Button>
                </td>
                <td>
                  <Button variant={variant} size="form">
                    {word}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flow">
        <IconButton variant="secondary" icon={Settings} label="Settings" />
        <IconButton icon={Ellipsis} label="More" />
        <IconButton icon={Trash2} label="Remove" disabledReason="Nothing is selected" />
        <Button variant="primary" icon={Plus} busy>
          Insert row
        </Button>
        <Button variant="primary" keys="mod+s">
          Apply
        </Button>
        <Button variant="primary" disabled>
          Save
        </Button>
        <button type="button" className="link">
          A link
        </button>
        <Segmented
          label="Range"
          options={[
            { value: '1', label: '1 h' },
            { value: '24', label: '24 h' },
            { value: '7', label: '7 d' },
          ]}
          value={range}
          onChange={setRange}
        />
      </div>
    </Samples>
  )
}

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

type Props = { title: string; children: ReactNode }

/** One group of the gallery. */
export function Samples({ title, children }: Props) {
  return (
    <section className="samples">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
