import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/inbox.css';
import './style/card.css';
import './style/decide.css';
import './style/offers.css';
import './style/value.css';
import './style/dialog.css';
import './style/pages.css';
import './style/rules.css';
import './style/phone.css';
import { render } from 'preact';
import { App } from './shell/app.js';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
