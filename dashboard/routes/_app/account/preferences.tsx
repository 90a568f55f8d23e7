import { createFileRoute } from '@tanstack/react-router'
import { PreferencesPage } from '../../../features/account/PreferencesPage.tsx'

export const Route = createFileRoute('/_app/account/preferences')({
  staticData: { title: 'Preferences' },
  component: PreferencesPage,
})
