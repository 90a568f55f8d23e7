import { useState } from 'react'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Samples } from './Samples.tsx'

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
