import { Download, Ellipsis, Plus, Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import type { ButtonVariant } from '../../../ui/controls/button-class.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Samples } from './Samples.tsx'

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
