import { remadeTopics } from '../contract/remade-topics.contract.ts';

remadeTopics('embedded');
