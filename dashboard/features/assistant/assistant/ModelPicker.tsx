import { ChevronsUpDown } from 'lucide-react'
import { Icon } from '../../../ui/Icon.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice } from '../../../ui/floats/MenuChoice.tsx'
import { useAssistant } from './use-assistant.ts'

/** Which model answers. One that the operator took away gives way to their first. */
export function ModelPicker({ models }: { models: readonly string[] }) {
  const { state, update } = useAssistant()
  const [first] = models
  if (first === undefined) return null
  const model = models.includes(state.model) ? state.model : first
  if (models.length === 1) return <span className="t12 faint ell">{model}</span>
  return (
    <Menu
      label="Model"
      trigger={
        <button type="button" className="btn gho assistant-model" aria-label={`Model: ${model}`}>
          <span className="ell">{model}</span>
          <Icon of={ChevronsUpDown} size="xs" />
        </button>
      }
    >
      <MenuChoice
        label="Model"
        options={models.map((name) => ({ value: name, label: name }))}
        value={model}
        onChange={(name) => update((before) => ({ ...before, model: name }))}
      />
    </Menu>
  )
}
