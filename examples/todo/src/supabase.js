import { createClient } from '@supabase/supabase-js'

const { VITE_PROJECT_URL, VITE_PUBLISHABLE_KEY } = import.meta.env

export const supabase = createClient(VITE_PROJECT_URL, VITE_PUBLISHABLE_KEY)
