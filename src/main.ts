import './config/node-version';

import { serve } from './app/serve';

void serve(process.env).then(({ text }) => process.stdout.write(text.map((line) => `${line}\n`).join('')));
