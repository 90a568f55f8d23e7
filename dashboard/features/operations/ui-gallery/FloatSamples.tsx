import { Copy, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { useCommands } from '../../../ui/floats/commands.ts'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuLabel, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { Switcher } from '../../../ui/navigation/Switcher.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Tooltip } from '../../../ui/floats/Tooltip.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import type { DialogSize } from '../../../ui/floats/DialogBox.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import type { SidePanelSize } from '../../../ui/floats/SidePanelBox.tsx'
import { SplitDialog } from '../../../ui/floats/SplitDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Samples } from './ControlSamples.tsx'

const CommandMenu = lazy(() =>
  import('../../../ui/floats/CommandMenu.tsx').then((m) => ({ default: m.CommandMenu })),
)
const projects = ['storefront', 'wholesale', 'staging'].map((value) => ({ value, label: value }))

export function FloatSamples() {
  const [commands, setCommands] = useState(false)
  const [typed, setTyped] = useState('')
  const [project, setProject] = useState('storefront')
  useCommands([
    { id: 'copy', section: 'Actions', name: 'Copy row', icon: Copy, keys: 'mod+c', run: () => {} },
    {
      id: 'edit',
      section: 'Actions',
      name: 'Edit row',
      icon: Pencil,
      hint: 'in a panel',
      run: () => {},
    },
  ])
  return (
    <Samples title="What floats">
      <div className="flow">
        <Menu label="Row" trigger={<Button>Menu</Button>}>
          <MenuLabel>Row</MenuLabel>
          <MenuItem icon={Pencil} keys="enter">
            Edit row
          </MenuItem>
          <MenuItem icon={Copy} disabledReason="Nothing is selected">
            Copy as
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger>
            Delete row
          </MenuItem>
        </Menu>
        <Tooltip text="Format the query" keys="shift+f">
          <Button>Tooltip</Button>
        </Tooltip>
        <Popover label="References" trigger={<Button>Popover</Button>}>
          <div className="well">On delete cascade, on update restrict</div>
        </Popover>
        <Switcher label="Switch project" current={project}>
          {(close) => (
            <OptionList
              label="Projects"
              search="Find a project"
              options={projects}
              value={project}
              onSelect={(next) => {
                setProject(next)
                close()
              }}
            />
          )}
        </Switcher>
        <Button onClick={() => setCommands(true)}>Command menu</Button>
      </div>
      <div className="flow">
        <Button
          onClick={() => toast.success('6 changes applied', { description: 'public.orders' })}
        >
          Success
        </Button>
        <Button
          onClick={() => toast.error('Row not saved', { description: 'status must be known' })}
        >
          Error
        </Button>
        <Button onClick={() => toast.warning('Your clock is off')}>Warning</Button>
        <Button
          onClick={() =>
            toast.info('Branch is ready', { action: { label: 'Open', run: () => {} } })
          }
        >
          Info
        </Button>
        <Button onClick={() => toast.loading('Exporting orders', { id: 'export' })}>Loading</Button>
      </div>
      <DialogSamples />
      <Suspense>
        {commands && (
          <CommandMenu
            onClose={() => setCommands(false)}
            place="storefront / main"
            typed={typed}
            onTyped={setTyped}
          />
        )}
      </Suspense>
    </Samples>
  )
}

const dialogs: DialogSize[] = ['tiny', 'small', 'medium', 'large', 'xlarge', 'xxlarge', 'xxxlarge']
const panels: SidePanelSize[] = ['medium', 'large', 'xlarge', 'xxlarge', 'xxxlarge', 'xxxxlarge']

function DialogSamples() {
  const [dialog, setDialog] = useState<DialogSize>()
  const [panel, setPanel] = useState<SidePanelSize>()
  const [asking, setAsking] = useState(false)
  const [split, setSplit] = useState(false)
  const [roomy, setRoomy] = useState(false)
  return (
    <>
      <div className="flow">
        {dialogs.map((size) => (
          <Button key={size} onClick={() => setDialog(size)}>
            Dialog {size}
          </Button>
        ))}
      </div>
      <div className="flow">
        {panels.map((size) => (
          <Button key={size} onClick={() => setPanel(size)}>
            Panel {size}
          </Button>
        ))}
        <Button onClick={() => setSplit(true)}>Dialog of two parts</Button>
        <Button onClick={() => setRoomy(true)}>Dialog, medium padding, no Close</Button>
        <Button variant="danger-quiet" onClick={() => setAsking(true)}>
          Delete table
        </Button>
      </div>
      <Dialog
        open={dialog !== undefined}
        onClose={() => setDialog(undefined)}
        title="A dialog"
        size={dialog ?? 'medium'}
        footer={<Button size="form">Save</Button>}
      >
        <p>This one is {dialog}.</p>
      </Dialog>
      <SidePanel
        open={panel !== undefined}
        onClose={() => setPanel(undefined)}
        title="New column"
        size={panel ?? 'medium'}
        footer={<Button size="form">Save</Button>}
      >
        <TextField label="Name" mono />
      </SidePanel>
      <Dialog
        open={roomy}
        onClose={() => setRoomy(false)}
        title="A roomy dialog"
        padding="medium"
        hideClose
        footer={
          <Button size="form" onClick={() => setRoomy(false)}>
            Cancel
          </Button>
        }
      >
        <p>Escape and Cancel close it.</p>
      </Dialog>
      {split && (
        <SplitDialog
          title="Two parts"
          onClose={() => setSplit(false)}
          list={<p className="muted">280 px</p>}
          head={
            <>
              <h3>What is chosen</h3>
              <span className="grow" />
            </>
          }
        >
          <p>550 px high.</p>
        </SplitDialog>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={
          <>
            Delete table <span className="mono">orders</span>
          </>
        }
        verb="Delete table"
        typeName="orders"
        error={undefined}
        pending={false}
        onConfirm={() => setAsking(false)}
      >
        <p>This deletes the table and everything that depends on it. It cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
